/** Pages whose modules take all that they can: each is answered with what its module shows, and others are served meanwhile. */
// @module-tag hostile
import { beforeAll, expect, test } from 'vitest'
import { MODULE } from '../../src/domain/namespaceIds.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { Store } from '../../src/storage/store.js'
import { DumpApplier } from '../support/store.js'
import { page, revision } from './busyWiki.js'
import { startServer, temporaryFolder, type TestServer } from './garden.js'

const SITE = {
  ...DEFAULT_SITE,
  namespaces: [
    ...DEFAULT_SITE.namespaces,
    { id: MODULE, name: 'Module', case: 'first-letter' },
    { id: MODULE + 1, name: 'Module talk', case: 'first-letter' },
  ],
} as const

const TIME_OVER = 'time allocated for running scripts has expired'
const NO_MEMORY = 'not enough memory'

/** Body of a function, and what its page shows. */
const HOSTILE: readonly (readonly [name: string, body: string, shown: string])[] = [
  ['Endless', 'while true do pcall(error) end', TIME_OVER],
  ['Sleepless', 'while true do xpcall(function () while true do end end, error) end', TIME_OVER],
  ['Copies', "local s = ('x'):rep(1e6) while true do local t = s .. 'y' end", TIME_OVER],
  ['Searches', "local s = ('x'):rep(1e6) while true do s:find('y', 1, true) end", TIME_OVER],
  ['Replaces', "local s = ('x'):rep(1e6) while true do s:gsub('x', 'y') end", TIME_OVER],
  ['Backtracks', "return mw.ustring.find(('ä'):rep(300), ('ä?'):rep(300) .. 'b')", TIME_OVER],
  ['Hashes', "local s = ('x'):rep(4e6) while true do mw.hash.hashValue('md5', s) end", TIME_OVER],
  ['Doubles', "local s = 'x' while true do s = s .. s end", NO_MEMORY],
  ['Grows', 'local t = {} for i = 1, 1e9 do t[i] = {} end', NO_MEMORY],
  ['Keeps', "local s = ('x'):rep(1e6) while true do frame:newChild{args = {s}} end", NO_MEMORY],
  ['Parses', "return mw.text.jsonDecode('[' .. ('[],'):rep(6e5) .. '1]')", NO_MEMORY],
  ['Recurses', 'local function f() return 1 + f() end return f()', 'stack overflow'],
  ['Nests', "return frame:preprocess('{{#invoke:Nests|main}}')", 'depth limit exceeded'],
  ['Patterns', "return ('a'):rep(1e5):find(('a?'):rep(1e5) .. 'b')", 'overflow'],
  ['Fails', "error(('x'):rep(1e7))", 'Lua error'],
  ['Reaches', 'return tostring(io) .. tostring(os.execute) .. tostring(load)', 'nilnilnil'],
  ['Bytes', "return 'a\\0b\\255c' .. '\\127\\'\"`UNIQ--ref-00000000-QINU`\"\\'\\127'", 'c'],
]

/** Of another page, while one is rendered. */
const READS = 20

let server: TestServer
beforeAll(async () => {
  const dataDir = temporaryFolder()
  const store = Store.open(dataDir, { create: true })
  const applier = new DumpApplier(store)
  applier.adoptSite(SITE)
  applier.importPages(
    'made for a test',
    HOSTILE.flatMap(([name, body], index) => [
      page(2 * index + 1, name, [revision(2 * index + 1, `before {{#invoke:${name}|main}} after`)]),
      {
        ...page(2 * index + 2, name, [
          revision(2 * index + 2, `return {main = function (frame) ${body} end}`),
        ]),
        namespace: MODULE,
      },
    ]),
  )
  applier.importPages('made for a test', [page(1000, 'Quiet', [revision(1000, 'quiet')])])
  applier.finishImport(null)
  await store.close()
  server = await startServer(dataDir, {
    renderThreads: '1',
    luaTimeMs: '200',
    luaMemoryBytes: String(16 * 1024 * 1024),
  })
})

test(
  'each page comes with the error in place, the same thread makes the next, and reads go on',
  { timeout: 240_000 },
  async () => {
    const wrong: string[] = []
    const statuses: number[] = []
    for (const [name, , shown] of HOSTILE) {
      const rendering = server.send(`/v1/page/${name}/html`)
      for (let n = 0; n < READS; n++) statuses.push((await server.send('/v1/page/Quiet')).status)
      const { status, bytes } = await rendering
      const html = bytes.toString()
      const isWhole = status === 200 && html.includes(shown) && /before [^]* after/.test(html)
      if (!isWhole) wrong.push(`${name}: ${status} ${html.slice(-600)}`)
    }
    expect(wrong).toEqual([])
    expect(new Set(statuses)).toEqual(new Set([200]))
    const metrics = (await server.send('/metrics')).bytes.toString()
    expect(metrics).toMatch(/^palimpsest_render_threads_broken_total\{pool="render"\} 0$/m)
  },
)
