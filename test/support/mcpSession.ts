/** A session of an MCP client of the SDK: calls of every tool, and what they must answer on the wiki of `mcpFolder`. */
import { Client, type Transport } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import { reindex } from '../../src/cli/reindex/reindex.js'
import { Store } from '../../src/storage/store.js'
import { folderWith, page, revision } from '../conformance/busyWiki.js'

const ROSE = `{| class="infobox"
! Kind
| [[Plant]]
|}
'''Rose''' is a plant with thorns.<ref>A book</ref>

== Care ==
${'Water it often, and give it light. '.repeat(40)}
=== Soil ===
{| class="wikitable"
! Soil !! Good
|-
| Loam || yes
|}
== Notes ==
<references/>
[[de:Rosen]]`

/** A folder with a small wiki. */
export async function mcpFolder(): Promise<string> {
  const dataDir = await folderWith([
    page(1, 'Rose', [revision(1, 'A rose'), revision(2, 'A red rose'), revision(3, ROSE)]),
    page(2, 'Plant', [revision(4, 'A [[Rose]] is a plant, and [[Nowhere]] is none.')]),
    { ...page(3, 'Rosa', [revision(5, '#REDIRECT [[Rose]]')]), redirectTarget: 'Rose' },
    page(4, 'Secret', [{ ...revision(6, ''), text: undefined }]),
    page(5, 'A/B', [revision(7, 'A page with a slash')]),
    page(6, 'Long', [
      revision(8, Array.from({ length: 500 }, (_, n) => `== Part ${n + 1} ==\ntext`).join('\n')),
    ]),
  ])
  const store = Store.open(dataDir)
  await reindex(store, { dataDir, threads: 1, missing: false })
  await store.close()
  return dataDir
}

/** Versions of the protocol: that of sessions, and the one since 2026-07-28, which has none. */
export const ERAS = ['legacy', 'auto'] as const
export type Era = (typeof ERAS)[number]

export async function connectedClient(transport: Transport, mode: Era = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return client
}

type Answer = Awaited<ReturnType<Client['callTool']>>

export interface Called {
  readonly isError: boolean
  readonly text: string
  readonly fields: Readonly<Record<string, unknown>> | undefined
}

export async function call(client: Client, name: string, given: Record<string, unknown>): Promise<Called> {
  const answer: Answer = await client.callTool({ name, arguments: given })
  const [first] = answer.content
  return {
    isError: answer.isError === true,
    text: first?.type === 'text' ? first.text : '',
    fields: answer.structuredContent as Called['fields'],
  }
}

const ROSE_PAGE = { title: 'Rose', revision: 3, timestamp: '2021-01-01T00:00:03Z' }
const TABLE = '| Soil | Good |\n| --- | --- |\n| Loam | yes |'

/** Calls, and what their answers have. */
const CALLS: readonly (readonly [name: string, given: Record<string, unknown>, fields: object])[] = [
  [
    'search',
    { query: 'thorns' },
    { pages: [{ ...ROSE_PAGE, excerpt: expect.stringContaining('thorns') as unknown }] },
  ],
  ['search', { query: 'nothing of this' }, { pages: [] }],
  [
    'page',
    { title: 'Rose', section: 0 },
    { ...ROSE_PAGE, truncated: false, text: '- **Kind**: [[Plant]]\n\n**Rose** is a plant with thorns.' },
  ],
  [
    'page',
    { title: 'rosa', section: 'Soil' },
    { ...ROSE_PAGE, redirected_from: 'Rosa', text: `### Soil\n\n${TABLE}` },
  ],
  [
    'page',
    { title: 'Rose', section: '0', notes: true },
    { text: expect.stringMatching(/thorns\.\[\^1\]\n\n\[\^1\]: A book$/) as unknown },
  ],
  ['page', { title: 'Rose', max_bytes: 500 }, { outline: [{ number: 1, title: 'Care' }, { title: 'Soil' }] }],
  [
    'page',
    { title: 'Rose', section: 1, max_bytes: 500 },
    { outline: [{ number: 2, title: 'Soil', level: 3 }] },
  ],
  ['page', { title: 'Rose', section: 2, format: 'text' }, { text: 'Soil\n\nSoil | Good\nLoam | yes' }],
  [
    'page',
    { title: 'Plant', format: 'wikitext' },
    { text: 'A [[Rose]] is a plant, and [[Nowhere]] is none.' },
  ],
  ['page', { title: 'Rose', format: 'wikitext', max_bytes: 500 }, { truncated: true }],
  [
    'page',
    { title: 'Rose', format: 'wikitext', section: 2 },
    { text: expect.stringMatching(/^=== Soil ===/) as unknown },
  ],
  ['outline', { title: 'Rose' }, { ...ROSE_PAGE, sections: [{ anchor: 'Care' }, { anchor: 'Soil' }] }],
  ['summary', { title: 'Rose' }, { ...ROSE_PAGE, text: 'Rose is a plant with thorns.' }],
  [
    'links',
    { title: 'Plant' },
    {
      links: [
        { title: 'Nowhere', exists: false },
        { title: 'Rose', exists: true },
      ],
    },
  ],
  ['links', { title: 'Plant', limit: 1 }, { links: [{ title: 'Nowhere' }], next_offset: 1 }],
  ['links', { title: 'Rose', direction: 'to' }, { links: [{ title: 'Plant' }, { title: 'Rosa' }] }],
  ['links', { title: 'Rose', direction: 'to', limit: 1 }, { links: [{ title: 'Plant' }], next_offset: 3 }],
  [
    'history',
    { title: 'Rose' },
    {
      ...ROSE_PAGE,
      has_older: false,
      revisions: [{ revision: 3 }, { revision: 2 }, { revision: 1, user: 'User 1', size: 6 }],
    },
  ],
  ['history', { title: 'Rose', older_than: 3 }, { revisions: [{ revision: 2 }, { revision: 1 }] }],
  [
    'compare',
    { from: 1, to: 2 },
    { title: 'Rose', revision: 2, from: { revision: 1 }, text: '~ A{+ red+} rose' },
  ],
  ['languages', { title: 'Rose' }, { ...ROSE_PAGE, languages: [{ code: 'de', title: 'Rosen' }] }],
  ['page', { title: 'A/B' }, { title: 'A/B', text: 'A page with a slash' }],
  [
    'outline',
    { title: 'Long' },
    { omitted: 100, sections: expect.objectContaining({ length: 400 }) as unknown },
  ],
  ['page', { title: 'Long', section: 'Part 450' }, { text: '## Part 450\n\ntext' }],
  ['page', { title: 'Long', max_bytes: 600 }, { omitted: 100 }],
]

/** Arguments that end as errors of a tool, with a part of the sentence. */
const REFUSED: readonly (readonly [name: string, given: Record<string, unknown>, sentence: string])[] = [
  ['page', { title: 'Nowhere' }, 'There is no page "Nowhere"'],
  ['page', { title: '<b>' }, 'cannot be the title'],
  ['page', { title: 'Special:Search' }, 'There is no page'],
  ['page', { title: 'Secret' }, 'is hidden'],
  ['page', { title: 'Rose', section: 'Nope' }, 'It has: 1 Care; 2 Soil'],
  ['page', { title: 'Rose', section: 99 }, 'no section 99'],
  ['page', { title: 'Rose', format: 'wikitext', section: 'Care' }, 'by its number'],
  ['page', { title: 'Rose', format: 'pdf' }, 'Invalid arguments'],
  ['page', {}, 'title'],
  ['page', { title: 7 }, 'must be string'],
  ['page', { title: 'Rose', max_bytes: 1e9 }, 'max_bytes'],
  ['page', { title: 'x'.repeat(5000) }, 'more than'],
  ['page', { title: 'Rose', nonsense: true }, 'Invalid arguments'],
  ['search', { query: '' }, 'query'],
  ['search', { query: 'x', limit: 1000 }, 'limit'],
  ['links', { title: 'Rose', offset: -1 }, 'offset'],
  ['links', { title: 'Rose', list: Array.from({ length: 100 }, () => 1) }, ''],
  ['history', { title: 'Rose', older_than: 4 }, 'Rose'],
  ['compare', { from: 1, to: 4 }, 'different pages'],
  ['compare', { from: 999 }, 'no revision 999'],
]

/** Plays all of it. `urlOf` is the permanent address of a revision. */
export async function playSession(
  client: Client,
  urlOf: (title: string, revision: number) => string,
): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'search',
    'page',
    'outline',
    'summary',
    'links',
    'history',
    'compare',
    'languages',
  ])
  expect(
    tools.every(({ annotations, outputSchema }) => annotations?.readOnlyHint === true && outputSchema),
  ).toBe(true)
  for (const [name, given, fields] of CALLS) {
    const answer = await call(client, name, given)
    expect(answer, `${name} ${JSON.stringify(given)}`).toMatchObject({ isError: false, fields })
    const { title, revision: id, url } = answer.fields!
    if (name !== 'search') expect(url).toBe(urlOf(String(title), Number(id)))
  }
  for (const [name, given, sentence] of REFUSED) {
    const answer = await call(client, name, given)
    expect(answer, `${name} ${JSON.stringify(given).slice(0, 100)}`).toMatchObject({ isError: true })
    expect(answer.text).toContain(sentence)
  }
  await expect(client.callTool({ name: 'erase', arguments: {} })).rejects.toThrow('not found')
}

/** All words that a model reads before it calls a tool. */
export async function wordsOfTools(client: Client): Promise<number> {
  const { tools } = await client.listTools()
  const texts: string[] = [client.getInstructions() ?? '']
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inside] of Object.entries(value)) {
      if (typeof inside === 'string' && (key === 'description' || key === 'title')) texts.push(inside)
      else collect(inside)
    }
  }
  collect(tools)
  return texts.join(' ').split(/\s+/).length
}
