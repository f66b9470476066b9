/** The engine traps, as C code does that goes on with memory which it did not get: what a page shows, and what goes on. */
import { afterEach, expect, test, vi } from 'vitest'
import { LuaState } from '../../../src/render/lua/engine/state.js'
import { expand, expectSound, hostileRuntime } from './hostileWiki.js'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Node's types leave WebAssembly to those of browsers. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly RuntimeError: new (message: string) => Error }
}

/** The next call into Lua traps. */
function trapOnce(): void {
  vi.spyOn(LuaState.prototype, 'call').mockImplementationOnce(() => {
    throw new WebAssembly.RuntimeError('memory access out of bounds')
  })
}

test('a call whose engine traps shows an error, and the page has its category', () => {
  const runtime = hostileRuntime()
  trapOnce()
  const { wikitext, categories } = expand(
    runtime,
    "return 'fine'",
    'a {{#invoke:Test|main}} b {{#invoke:Test|main}}',
  )
  expect(wikitext).toMatch(/^a <strong class="error">.*Lua error: not enough memory\..* b fine$/)
  expect(categories).toContain('Pages with script errors')
  expectSound(runtime)
})

test('a source that traps the compiler has not enough memory', () => {
  const runtime = hostileRuntime()
  trapOnce()
  expect(runtime.checkSyntax('Module:Test', 'return {}')).toMatchObject({ text: 'not enough memory' })
  expect(runtime.checkSyntax('Module:Test', 'return {}')).toBeUndefined()
  expectSound(runtime)
})
