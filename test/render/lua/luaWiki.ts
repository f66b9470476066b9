/** A small wiki whose modules run, for tests. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { performance } from 'node:perf_hooks'
import type { LuaLimits } from '../../../src/render/lua/limits.js'
import { LuaRuntime, type LuaRuntimeOptions } from '../../../src/render/lua/runtime.js'
import type { PageExpansion, PreprocessorOptions } from '../../../src/render/preprocessor/preprocessor.js'
import { expandOn, type Pages } from '../preprocessor/memoryWiki.js'

const ENGINE = createRequire(import.meta.url).resolve('wasmoon-lua5.1/dist/liblua5.1.wasm')
const MICROSECONDS = 1000

/** Processor time of this process: tests run one after the other. */
const CLOCK = {
  wallMs: () => performance.now(),
  processorMs: () => process.cpuUsage().user / MICROSECONDS,
}

export function luaRuntime(options: Partial<LuaRuntimeOptions> = {}): LuaRuntime {
  return new LuaRuntime({ readEngine: () => readFileSync(ENGINE), clock: CLOCK, ...options })
}

const runtimes = new Map<string, LuaRuntime>()

/** One for all tests with the same limits: its instance takes some milliseconds. */
function runtimeWith(limits: Partial<LuaLimits>): LuaRuntime {
  const key = JSON.stringify(limits)
  const known = runtimes.get(key) ?? luaRuntime({ limits })
  runtimes.set(key, known)
  return known
}

export interface Run {
  readonly pages?: Pages
  readonly title?: string
  readonly limits?: Partial<LuaLimits>
  readonly options?: PreprocessorOptions
}

/** Expands a text on a wiki with modules. */
export function expandWith(
  text: string,
  { pages = {}, title, limits = {}, options = {} }: Run = {},
): PageExpansion {
  const modules = runtimeWith(limits)
  return expandOn(text, {
    pages,
    options: { modules, ...options },
    ...(title !== undefined && { title }),
  })
}

/** The result of a function with the body `body`, called with the arguments of a text: `|a|b=c`. */
export function runLua(
  body: string,
  { args = '', pages = {}, ...run }: Run & { readonly args?: string } = {},
): string {
  const source = `local p = {}\nfunction p.main(frame)\n${body}\nend\nreturn p`
  return expandWith(`{{#invoke:Test|main${args}}}`, { pages: { 'Module:Test': source, ...pages }, ...run })
    .wikitext
}

/** The text of the error that a text shows. */
export function errorIn(wikitext: string): string | undefined {
  return /<span class="scribunto-error" id="[^"]*">(.*?)<\/span>/s.exec(wikitext)?.[1]
}
