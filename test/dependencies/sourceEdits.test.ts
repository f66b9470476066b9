/** Changes of the package's source are made whole or not at all. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileFunction } from 'node:vm'
import { afterAll, describe, expect, test } from 'vitest'
import { type EditedFile, editSource, loadEdited } from '../../src/render/parsoid/patches/sourceEdits.js'
import { fastTokenizer, withKeys } from '../../src/render/parsoid/patches/speed/grammar.js'
import { withoutTraces } from '../../src/render/parsoid/patches/speed/types.js'

const folder = mkdtempSync(join(tmpdir(), 'sourceEdits-'))
afterAll(() => rmSync(folder, { recursive: true }))
let count = 0

/** A file of a package, and a `require` that finds it. */
function packageFile(text: string): { readonly file: string; readonly require: NodeJS.Require } {
  const file = `./file${count++}.js`
  writeFileSync(join(folder, file), text)
  return { file, require: createRequire(join(folder, 'index.js')) }
}

const asIs = (text: string): string => text

function load(text: string, edits: EditedFile['edits'], editAny = asIs): unknown {
  const { file, require } = packageFile(text)
  return loadEdited([{ file, edits }], require, editAny, () => require(file) as unknown)
}

describe('a file of the package', () => {
  test('is compiled with its changes', () => {
    expect(load('module.exports = [1, 2]', [{ before: '[1,', after: '[3,' }])).toEqual([3, 2])
  })

  test('gets the changes for any file after its own', () => {
    const edits = [{ before: '1', after: '2' }]
    expect(load('module.exports = 1', edits, (text) => text.replace('2', '3'))).toBe(3)
  })

  test.each([
    ['lacks the text to change', 'module.exports = 1'],
    ['has it twice', 'module.exports = [2, 2]'],
  ])('that %s is not loaded', (_case, text) => {
    expect(() => load(text, [{ before: '2', after: '3' }])).toThrow('does not have once: 2')
  })

  test('must not be loaded before', () => {
    const { file, require } = packageFile('module.exports = 1')
    require(file)
    expect(() => loadEdited([{ file, edits: [] }], require, asIs, () => undefined)).toThrow(
      'was loaded before',
    )
  })

  test('must be loaded', () => {
    const { file, require } = packageFile('module.exports = 1')
    expect(() => loadEdited([{ file, edits: [] }], require, asIs, () => undefined)).toThrow('was not loaded')
  })

  test('stays changed when it is loaded a second time', () => {
    const { file, require } = packageFile('module.exports = 1')
    const again = (): unknown =>
      loadEdited(
        [{ file, edits: [{ before: '1', after: '2' }] }],
        require,
        asIs,
        () => require(file) as unknown,
      )
    expect([again(), again()]).toEqual([2, 2])
  })
})

test('a change may contain patterns of replacements', () => {
  expect(editSource('a b', [{ before: 'b', after: '$& $1' }], 'file')).toBe('a $& $1')
})

test('a compiled grammar of another form is refused', () => {
  expect(() => fastTokenizer('function peg$parse(input) {}')).toThrow('the compiled grammar')
})

test('calls that write traces are never made; others are', () => {
  const calls: string[] = []
  const body = `this.env.log('trace/x', f()); env.log("debug", f()); this.env.log('fatal', f())`
  const run = compileFunction(withoutTraces(body, '/parsoid/lib/x.js'), ['env', 'f'])
  const env = { log: (type: string) => calls.push(type) }
  run.call({ env }, env, () => calls.push('f'))
  expect(calls).toEqual(['f', 'fatal'])
})

test.each([
  ['wt2html', ['a']],
  ['html2wt', ['a', 'b', 'assert']],
])('assertions and their conditions in %s: %o', (part, expected) => {
  const calls: string[] = []
  const body = `if (f('a')) console.assert(f('b'), 'c'); else console.assert(false)`
  const path = `/parsoid/lib/${part}/x.js`
  const run = compileFunction(withoutTraces(body, path), ['console', 'f']) as (...args: object[]) => void
  run({ assert: () => calls.push('assert') }, (name: string) => calls.push(name))
  expect(calls).toEqual(expected)
})

test('results of the tokenizer are kept by numbers; parameters of another kind are refused', () => {
  const fast = (list: string): string => withKeys(`key = [7, ${list}].map(String).join(":");`)
  expect(fast('boolParams & 0x1bfe, param_templatedepth, param_preproc.value')).toBe(
    'key = peg$key(7, boolParams & 0x1bfe, param_templatedepth, param_preproc.value, null);',
  )
  expect(() => fast('param_other.value')).toThrow('the compiled grammar')
  expect(() => fast('boolParams & 0x4000')).toThrow('the compiled grammar')
})
