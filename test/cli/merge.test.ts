/** `palimpsest merge` as people and programs run it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { merge3 } from '../../src/diff/merge3.js'
import { COMMAND, type CommandResult, runHosted } from '../support/command.js'
import { temporaryFolder } from '../support/store.js'

const run = (parts: readonly string[], input = ''): CommandResult => runHosted(['merge', ...parts], input)

function files(mine: string, base: string | Buffer, theirs: string): string[] {
  const folder = temporaryFolder()
  return Object.entries({ mine, base, theirs }).map(([name, text]) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  })
}

describe('palimpsest merge', () => {
  test('prints the merged text of three files, with one newline at its end', () => {
    expect(run(files('ONE\ntwo\nthree', 'one\ntwo\nthree', 'one\ntwo\n三 é\n\n'))).toEqual({
      status: 0,
      out: 'ONE\ntwo\n三 é\n',
      err: '',
    })
  })

  test('says that edits conflict, prints no text and exits with 1', () => {
    const [mine, base, theirs] = files('ONE', 'one', 'eins') as [string, string, string]
    expect(run([mine, base, theirs])).toEqual({
      status: 1,
      out: '',
      err: `palimpsest: ${mine} and ${theirs} conflict: both change the same lines, or neighbouring ones, of ${base}\n`,
    })
  })

  test('merges many texts in their order, conflicts among them', () => {
    const triples = [
      { mine: 'a\nb\nC', base: 'a\nb\nc', theirs: 'A\nb\nc' },
      { mine: 'x', base: 'y', theirs: 'z' },
      { mine: '', base: '', theirs: '日本 \u0000"' },
    ]
    const { status, out } = run(['--jsonl'], triples.map((triple) => JSON.stringify(triple)).join('\n'))
    expect(status).toBe(0)
    expect(out).toBe(
      triples.map(({ mine, base, theirs }) => `${JSON.stringify(merge3(mine, base, theirs))}\n`).join(''),
    )
    expect(out.split('\n')[1]).toBe('{"clean":false}')
  })

  test('answers a line before the next one comes', async () => {
    const child = spawn(process.execPath, [COMMAND, 'merge', '--jsonl'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]()
    for (const text of ['a', 'b']) {
      child.stdin.write(`${JSON.stringify({ mine: text, base: '', theirs: '' })}\n`)
      expect((await answers.next()).value).toBe(JSON.stringify({ clean: true, text: `${text}\n` }))
    }
    child.stdin.end()
    expect((await once(child, 'exit'))[0]).toBe(0)
  })

  test('takes more lines than fit into memory buffers between two programs', () => {
    const line = `${JSON.stringify({ mine: 'm'.repeat(20_000), base: '', theirs: '' })}\n`
    const { status, out } = run(['--jsonl'], line.repeat(500))
    expect(status).toBe(0)
    expect(out).toBe(`${JSON.stringify({ clean: true, text: `${'m'.repeat(20_000)}\n` })}\n`.repeat(500))
  })

  test.each([
    ['is not JSON', '{"mine":"a","base":"b","theirs":"c"}\n{', 'line 2 is not JSON in UTF-8'],
    ['is empty', '\n', 'line 1 is not JSON in UTF-8'],
    [
      'lacks a text',
      '{"mine":"a","base":"b"}',
      'line 1 is not a JSON object with the texts "mine", "base" and "theirs"',
    ],
    ['is no object', 'null', 'line 1 is not a JSON object with the texts "mine", "base" and "theirs"'],
  ])('names the line that %s and exits with 2', (_case, input, message) => {
    expect(run(['--jsonl'], input)).toMatchObject({ status: 2, err: `palimpsest: ${message}\n` })
  })

  test('exits with 2 when a file cannot be read as text', () => {
    expect(run(['/nowhere/a', '/nowhere/b', '/nowhere/c'])).toMatchObject({
      status: 2,
      out: '',
      err: expect.stringMatching(
        /^palimpsest: cannot open \/nowhere\/[abc]: there is no such file or folder\n$/,
      ) as string,
    })
    expect(run(files('a', Buffer.from([0xff, 0xfe]), 'b'))).toMatchObject({
      status: 2,
      err: expect.stringMatching(/^palimpsest: .*base is not text in UTF-8\n$/) as string,
    })
  })

  test.each([[['a', 'b']], [['--jsonl', 'a', 'b', 'c']], [['a', 'b', 'c', 'd']], [['--unknown']], [[]]])(
    'exits with 2 when the arguments are %j',
    (parts) => {
      expect(run(parts)).toMatchObject({ status: 2, out: '' })
    },
  )

  test('tells in its help what the exit statuses mean', () => {
    expect(run(['--help'])).toMatchObject({
      status: 0,
      out: expect.stringMatching(
        /Exit status: 1 when the edits conflict, 2 when a text cannot be read/,
      ) as string,
    })
  })
})
