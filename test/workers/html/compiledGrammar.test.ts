/** The tokenizer that the build compiles, and what happens without a fitting one. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterEach, expect, test, vi } from 'vitest'
import { compiledFile } from '../../../src/runtime/packageFiles.js'
import { compileGrammar } from '../../../src/render/parsoid/loadPackage.js'

interface Tokenizer {
  readSource(): string
  parseTokenizer(): object
  initTokenizer(): void
  tokenizer: { parse: unknown }
}

// Loads the package and makes our changes to it, which happens once in a process.
const grammar = compileGrammar()
const { PegTokenizer } = createRequire(import.meta.url)('parsoid/lib/wt2html/tokenizer.js') as {
  readonly PegTokenizer: { readonly prototype: Tokenizer }
}
const { prototype } = PegTokenizer
const { tokenizer } = prototype

afterEach(() => {
  vi.restoreAllMocks()
  prototype.tokenizer = tokenizer
})

test('the build has compiled the grammar of the installed package, with our changes', () => {
  expect(readFileSync(compiledFile('grammar.cjs'), 'utf8')).toBe(grammar)
})

test('no thread compiles it again', () => {
  const parse = vi.spyOn(prototype, 'parseTokenizer')
  prototype.initTokenizer()
  expect(parse).not.toHaveBeenCalled()
  expect(prototype.tokenizer.parse).toBeTypeOf('function')
})

test('another grammar is compiled where it is needed', () => {
  const source = prototype.readSource()
  vi.spyOn(prototype, 'readSource').mockReturnValue(source.replace('"&"', '"&&"'))
  const parse = vi.spyOn(prototype, 'parseTokenizer')
  prototype.initTokenizer()
  expect(parse).toHaveBeenCalled()
  expect(prototype.tokenizer.parse).toBeTypeOf('function')
})
