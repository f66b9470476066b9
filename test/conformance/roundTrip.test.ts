/** Pages to HTML and back: what was not changed comes back byte for byte. The bench render/sample does it with real pages. */
// @module-tag slow
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importDumps } from '../../src/cli/import/importDumps.js'
import { SCRIBUNTO } from '../../src/domain/contentModel.js'
import { MODULE } from '../../src/domain/namespaceIds.js'
import { Store } from '../../src/storage/store.js'
import { onlyAdded, roundTrip, type RoundTripPage } from '../support/pageRoundTrip.js'
import { startServer, temporaryFolder, type TestServer } from './garden.js'

const HANDBOOK = join(import.meta.dirname, '../../sample/handbook.xml')
/** Pages of the handbook with tables, templates, code, references and other languages. */
const CHOSEN = ['Main_Page', 'API_reference', 'Aperçu_rapide', 'API_reference/Headers', 'Accounts_and_rights']

let server: TestServer
let store: Store
beforeAll(async () => {
  const dataDir = temporaryFolder()
  await importDumps({ dataDir, paths: [HANDBOOK] })
  store = Store.open(dataDir)
  server = await startServer(dataDir)
})
afterAll(() => store.close())

function pageOf(key: string): RoundTripPage {
  const { latestId: revisionId } = store.getPage(0, key)!
  return { key, revisionId, contentModel: 'wikitext', wikitext: store.getText(revisionId)! }
}

describe('a page of the handbook', () => {
  test.each(CHOSEN)('comes back as it was, and with paragraphs more: %s', async (key) => {
    const trip = await roundTrip(server.base, store.site().wikiId, pageOf(key), () => 0)
    const whole = { unchanged: true, added: true }
    expect(trip).toMatchObject({ status: 200, troubles: [], page: whole, editable: whole })
  })

  test('comes back as it was when it is a module', async () => {
    const { latestId: revisionId } = store.getPage(MODULE, 'Sizes')!
    const module = { key: 'Module:Sizes', revisionId, contentModel: SCRIBUNTO }
    const wikitext = store.getText(revisionId)!
    const trip = await roundTrip(server.base, store.site().wikiId, { ...module, wikitext }, () => 0)
    const whole = { unchanged: true }
    expect(trip).toMatchObject({ status: 200, troubles: [], page: whole, editable: whole })
  })
})

describe('the comparison', () => {
  const [middle, last] = ['Zebras and quaggas 4711', 'Okapis and tapirs 4712']

  test.each([
    ['a\n== b ==\nc', `a\n\n${middle}\n\n== b ==\nc\n\n${last}`, true],
    ['a', `a\n\n${last}`, true],
    ['a\n', `a\n${last}\n`, true],
    ['a\n== b ==', `a\n\n${middle}\n\n==b==\n${last}`, false],
    ['a  b', `a b\n\n${last}`, false],
    ['a', 'a', false],
  ])('of %j with %j says %j', (before, after, expected) => {
    expect(onlyAdded(before, after)).toBe(expected)
  })
})
