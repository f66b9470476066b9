/** Lists of `action=query` over the tables of links and changes. The recorded requests have their answers. */
import { beforeAll, describe, expect, test } from 'vitest'
import { linkIndex } from '../../../src/http/actionApi/query/linkIndex.js'
import type { QueryCall } from '../../../src/http/actionApi/query/module.js'
import { startGarden, type TestServer } from '../../conformance/garden.js'

let wiki: TestServer
beforeAll(async () => {
  wiki = await startGarden()
})

type Json = Readonly<Record<string, unknown>>
const query = async (rest: string): Promise<Json> => {
  const answer = await wiki.send(`/api.php?action=query&format=json&formatversion=2&${rest}`)
  expect(answer.status).toBe(200)
  return JSON.parse(answer.bytes.toString()) as Json
}

describe('a list of links', () => {
  test('is an error as long as the index lacks pages', () => {
    const reuse = { isPersonal: false, changesSilently: false, goodUntilMs: undefined }
    const context = { store: { pageLinks: { isComplete: () => false } } }
    const call = { reuse, context } as unknown as QueryCall
    expect(() => linkIndex(call)).toThrow(expect.objectContaining({ code: 'notready' }))
    expect(() => linkIndex(call)).toThrow(/palimpsest reindex/)
    expect(reuse.changesSilently).toBe(true)
  })

  test.each([
    'prop=links&titles=Moon&plcontinue=odd',
    'prop=linkshere&titles=Moon&lhcontinue=1',
    'prop=extlinks&titles=Moon&elcontinue=1%7Cx',
    'list=backlinks&bltitle=Moon&blcontinue=x',
    'list=alllinks&alcontinue=x',
    'list=exturlusage&eucontinue=1%7Chttp',
    'list=usercontribs&ucuser=Someone&uccontinue=1',
  ])('does not go on from an odd place: %s', async (rest) => {
    expect(await query(rest)).toMatchObject({ error: { code: 'badcontinue' } })
  })
})
