/**
 * A wiki for hostile modules. The limit of time is one of a clock that counts how often it is read, so that nothing depends on
 * the machine.
 */
import { expect } from 'vitest'
import type { LuaRuntime } from '../../../src/render/lua/runtime.js'
import type { PageExpansion } from '../../../src/render/preprocessor/preprocessor.js'
import { expandOn } from '../preprocessor/memoryWiki.js'
import { luaRuntime } from './luaWiki.js'

export const TIME_OVER = 'The time allocated for running scripts has expired.'
export const MEMORY = 1 << 20
const LOOKS = 400

/** A clock that shows how often it was looked at. */
export class CountingClock {
  looks = 0

  wallMs(): number {
    return this.looks++
  }

  processorMs(): undefined {
    return undefined
  }
}

/** Modules get so many looks at the clock. */
export function hostileRuntime(looks = LOOKS): LuaRuntime {
  return luaRuntime({ clock: new CountingClock(), limits: { timeMs: looks, memoryBytes: 8 * MEMORY } })
}

/** Expands a text on a wiki whose `Module:Test` has a function `main` with this body. */
export function expand(
  runtime: LuaRuntime,
  body: string,
  text = '{{#invoke:Test|main}}',
  more: Readonly<Record<string, string>> = {},
): PageExpansion {
  const pages = { 'Module:Test': `local p = {}\nfunction p.main(frame)\n${body}\nend\nreturn p`, ...more }
  return expandOn(text, { pages, options: { modules: runtime } })
}

export function run(...args: Parameters<typeof expand>): string {
  return expand(...args).wikitext
}

/** What any later page gives: the runtime still works, and nothing of an earlier page is in it. */
export function expectSound(runtime: LuaRuntime): void {
  expect(run(runtime, "return tostring(secret) .. ('x'):rep(3) .. mw.ustring.len('äö')")).toBe('nilxxx2')
}
