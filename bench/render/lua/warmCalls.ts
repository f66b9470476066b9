/** Calls of modules on a page that has called them before. All times are processor time of this process. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import { MODULE, MODULE_TALK } from '../../../src/domain/namespaceIds.js'
import { Namespaces } from '../../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../../src/domain/site.js'
import { parseTitle, type Title } from '../../../src/domain/title.js'
import { LuaRuntime } from '../../../src/render/lua/runtime.js'
import type { ModuleRuntime } from '../../../src/render/preprocessor/expander.js'
import { Preprocessor } from '../../../src/render/preprocessor/preprocessor.js'
import { wikiOf } from '../../support/dumpWiki.js'

/** Texts that call modules, with the pages that they use. */
export interface ModuleCase {
  readonly id: string
  readonly pages: Readonly<Record<string, string>>
  readonly wikitext: string
}

export interface WarmSample {
  readonly case: string
  /** Counted from 1. */
  readonly round: number
  /** One call, everything around it included. */
  readonly milliseconds: number
}

const WARM_UP_TEXTS = 50
const MEASURED_TEXTS = 200
const ENGINE = createRequire(import.meta.url).resolve('wasmoon-lua5.1/dist/liblua5.1.wasm')
const TIME_LIMIT_MS = 3_600_000
/** Of the large module: as long as the largest that Wikipedias call on most of their pages. */
const LARGE_BYTES = 97_000

export const namespaces = new Namespaces({
  ...DEFAULT_SITE,
  namespaces: [
    ...DEFAULT_SITE.namespaces,
    { id: MODULE, name: 'Module', case: 'first-letter' },
    { id: MODULE_TALK, name: 'Module talk', case: 'first-letter' },
  ],
})

export function luaRuntime(): LuaRuntime {
  return new LuaRuntime({
    readEngine: () => readFileSync(ENGINE),
    clock: { wallMs: () => performance.now(), processorMs: () => undefined },
    limits: { timeMs: TIME_LIMIT_MS },
  })
}

/** Recorded cases, each a line of JSON in a gzip file. */
export function recordedCases(path: string): ModuleCase[] {
  const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n')
  return lines.map((line) => {
    const { id, modules, templates, wikitext } = JSON.parse(line) as {
      readonly id: string
      readonly modules: Readonly<Record<string, string>>
      readonly templates: Readonly<Record<string, string>>
      readonly wikitext: string
    }
    return { id, pages: { ...modules, ...templates }, wikitext }
  })
}

/** Each case on a page of its own, many times over. */
export function measureWarmCalls(cases: readonly ModuleCase[], rounds: number): WarmSample[] {
  const runtime = luaRuntime()
  const samples: WarmSample[] = []
  for (let round = 1; round <= rounds; round++)
    for (const one of cases) samples.push({ case: one.id, round, milliseconds: measureCase(one, runtime) })
  return samples
}

function measureCase({ pages, wikitext }: ModuleCase, runtime: LuaRuntime): number {
  let calls = 0
  const preprocessor = preprocessorOf(pages, {
    open: (expander) => {
      const page = runtime.open(expander)
      return { call: (call) => (calls++, page.call(call)) }
    },
  })
  for (let text = 0; text < WARM_UP_TEXTS; text++) preprocessor.expand(wikitext)
  calls = 0
  const start = usedMs()
  for (let text = 0; text < MEASURED_TEXTS; text++) preprocessor.expand(wikitext)
  return (usedMs() - start) / calls
}

/** A page with many calls of a large module, as the first page of a thread and as a later one. */
export function measureLargeModule(calls: number): { readonly first: number; readonly later: number } {
  const runtime = luaRuntime()
  const pages = { 'Module:Large': largeModule() }
  const text = Array.from(
    { length: calls },
    (_, n) => `{{#invoke:Large|f${n % 100}|${n}|name=value ${n}}}`,
  ).join('\n')
  const measure = (): number => {
    const start = usedMs()
    const { wikitext } = preprocessorOf(pages, runtime).expand(text)
    const took = usedMs() - start
    if (!wikitext.endsWith(`${calls - 1}: value ${calls - 1}`))
      throw new Error(`the large module failed: ${wikitext}`)
    return took
  }
  return { first: measure(), later: measure() }
}

/** A hundred functions and a long table, in so many bytes. */
export function largeModule(): string {
  const functions = Array.from(
    { length: 100 },
    (_, n) => `function p.f${n}(frame)
  local number, name = tonumber(frame.args[1]), mw.text.trim(frame.args.name or '')
  if name == '' then return 'none' end
  return number .. ': ' .. name
end
`,
  ).join('')
  const head = `local p = {}\nlocal names = {\n`
  const tail = `}\n${functions}function p.names() return names end\nreturn p\n`
  let rows = ''
  for (let n = 0; head.length + rows.length + tail.length < LARGE_BYTES; n++)
    rows += `  ['entry ${n}'] = {name = 'Entry ${n}', code = '${(n * 7919) % 10_007}', even = ${n % 2 === 0}},\n`
  return head + rows + tail
}

/** Garbage collection included. */
function usedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function preprocessorOf(pages: Readonly<Record<string, string>>, modules: ModuleRuntime): Preprocessor {
  const texts = Object.entries(pages).map(([name, text]) => ({
    title: titled(name),
    text,
    contentModel: name.startsWith('Module:') ? 'Scribunto' : 'wikitext',
  }))
  const { source } = wikiOf(texts, namespaces)
  return new Preprocessor({ title: titled('Test page'), id: undefined, revision: undefined }, source, {
    modules,
  })
}

function titled(text: string): Title {
  const parsed = parseTitle(text, namespaces)
  if (!parsed.ok) throw new Error(`${text} is no title`)
  return parsed.title
}
