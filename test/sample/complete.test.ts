/** The handbook names all that there is: routes, commands, statuses and codes of errors. */
import { describe, expect, test } from 'vitest'
import { loadPages, loadSite } from '../../sample/build.mjs'
import { routes } from '../../src/http/endpoints/index.js'
import { ERRORS } from '../../src/http/reply/errors.js'
import { SCHEMAS } from '../../src/http/openapi/schemas.js'
import { runHosted } from '../support/command.js'

const texts = new Map(
  loadPages(loadSite()).map(({ title, revisions }) => [title, revisions.at(-1)!.text] as const),
)
const textOf = (title: string): string => texts.get(title) ?? ''

/** What stands before a route's own path. */
const PREFIXES = { v1: '/v1', wiki: '/{wiki}', base: '', folder: '', top: '', variant: '', server: '' } as const

const described = routes.flatMap(({ method, root, path, doc }) =>
  doc === undefined ? [] : [{ method, path: `${PREFIXES[root]}${path}`, isOfApi: root === 'v1' }],
)

describe('the handbook has', () => {
  test.each(described.filter(({ isOfApi }) => isOfApi))(
    'a card for $method $path in the API reference',
    ({ method, path }) => {
      expect(textOf('API reference')).toContain(`{{Endpoint\n|method=${method}\n|path=${path}\n`)
    },
  )

  test('every other address in the API reference', () => {
    const missing = described.filter(({ path }) => !textOf('API reference').includes(`<code>${path}</code>`))
    expect(missing.filter(({ isOfApi }) => !isOfApi)).toEqual([])
  })

  test('every route of the API on the card', () => {
    const missing = described.filter(({ isOfApi, path }) => isOfApi && !textOf('Résumé').includes(`${path} `))
    expect(missing).toEqual([])
  })

  test('every status of an error', () => {
    const statuses = new Set(Object.values(ERRORS).map(([status]) => status))
    expect([...statuses].filter((status) => !textOf('Errors').includes(`\n| ${status} || `))).toEqual([])
  })

  test.each(['Errors', 'API reference'])('every failure code, on %s', (title) => {
    const { failureCode } = SCHEMAS.Error.properties
    for (const code of failureCode!['enum'] as readonly string[]) expect(textOf(title)).toContain(`<code>${code}</code>`)
  })

  test('every command', () => {
    const commands = [...runHosted(['--help']).out.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!)
    expect(commands).toContain('backup')
    const named = new Set([...textOf('Command line').matchAll(/<code>([a-z]+)<\/code>/g)].map(([, name]) => name))
    expect(commands.filter((name) => name !== 'help' && !named.has(name))).toEqual([])
  })
})
