/** `palimpsest diff` as people and programs run it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compare } from '../../src/diff/compare.js'
import { ThaiDictionary } from '../../src/diff/thaiDictionary.js'
import { dictionaryBreaker } from '../../src/diff/thaiWords.js'
import { type CommandResult, runHosted } from '../support/command.js'
import { temporaryFolder } from '../support/store.js'
import { dictionaryOf } from '../support/thaiDictionary.js'

const run = (parts: readonly string[], input = ''): CommandResult => runHosted(['diff', ...parts], input)

function files(from: string | Buffer, to: string): string[] {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'from'), from)
  writeFileSync(join(folder, 'to'), to)
  return [join(folder, 'from'), join(folder, 'to')]
}

describe('palimpsest diff', () => {
  test('shows two files with marked words where there are no colours', () => {
    const { status, out } = run(files('one\nthe quick fox\nthree', 'one\nthe slow fox\nthree\nfour'))
    expect(status).toBe(0)
    expect(out).toBe('@@ line 1 @@\n  one\n~ the [-quick-]{+slow+} fox\n  three\n+ four\n')
  })

  test('prints the JSON that the server answers with', () => {
    const { out } = run(['--json', ...files('a é', 'a ü')])
    expect(out).toBe(`${compare('a é', 'a ü').toString()}\n`)
  })

  test('compares many pairs in their order', () => {
    const pairs = [
      { from: 'a', to: 'b' },
      { from: '', to: '' },
      { from: 'x\ny', to: 'x\n日本' },
    ]
    const { status, out } = run(['--jsonl'], pairs.map((pair) => JSON.stringify(pair)).join('\n'))
    expect(status).toBe(0)
    expect(out).toBe(pairs.map(({ from, to }) => `${compare(from, to).toString()}\n`).join(''))
  })

  test("cuts Thai words by libthai's dictionary, or says why not", () => {
    const texts = files('กาขามานา', 'กาขาตานา')
    const dictionary = dictionaryOf(['กาขา', 'มานา', 'ตานา'])
    const [path, cut] = files(dictionary, 'x')
    const thaiBreaker = dictionaryBreaker(new ThaiDictionary(dictionary))
    expect(run(['--json', '--thai-dictionary', path!, ...texts])).toEqual({
      status: 0,
      out: `${compare('กาขามานา', 'กาขาตานา', { thaiBreaker }).toString()}\n`,
      err: '',
    })
    expect(run(['--json', '--thai-dictionary', cut!, ...texts])).toEqual({
      status: 0,
      out: `${compare('กาขามานา', 'กาขาตานา').toString()}\n`,
      err: `palimpsest: ${cut} is cut off: ICU cuts the words of Thai texts instead\n`,
    })
  })

  test.each([
    ['is not JSON', '{"from":"a","to":"b"}\n{', 'line 2 is not JSON in UTF-8'],
    ['lacks a text', '{"from":"a"}', 'line 1 is not a JSON object with the texts "from" and "to"'],
  ])('names the line that %s', (_case, input, message) => {
    expect(run(['--jsonl'], input)).toMatchObject({ status: 2, err: `palimpsest: ${message}\n` })
  })

  test('says why a file cannot be compared', () => {
    expect(run(['/nowhere/a', '/nowhere/b']).err).toMatch(
      /^palimpsest: cannot open \/nowhere\/[ab]: there is no such file or folder\n$/,
    )
    expect(run(files(Buffer.from([0xff, 0xfe]), 'x')).err).toMatch(
      /^palimpsest: .*from is not text in UTF-8\n$/,
    )
    expect(run(['only-one'])).toMatchObject({ status: 2, out: '' })
  })
})
