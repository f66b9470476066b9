/** docs/authentication.md does what it says: its commands are run in their order, its servers started. */
// @module-tag slow
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../conformance/garden.js'
import { startProcess } from '../support/command.js'

const ROOT = join(import.meta.dirname, '../..')
const PAGE = readFileSync(join(ROOT, 'docs/authentication.md'), 'utf8')

/** A shell block, or a server to start. */
interface Block {
  readonly kind: string
  readonly text: string
  readonly heading: string
}

/** A command, and parts of its output from the lines after it. */
interface Step {
  readonly command: string
  readonly expected: readonly string[]
}

function blocksOf(markdown: string): Block[] {
  let heading = ''
  return [...markdown.matchAll(/^## (.*)$|^```(sh|console)\n([^]*?)^```$/gm)].flatMap(
    ([, title, kind, text]) => {
      if (title !== undefined) heading = title
      return kind === undefined || text === undefined ? [] : [{ kind, text, heading }]
    },
  )
}

function stepsOf(block: string): Step[] {
  const steps: { command: string; expected: string[] }[] = [{ command: '', expected: [] }]
  for (const line of block.trimEnd().split('\n')) {
    const expected = /^# → (.*)$/.exec(line)?.[1]
    const last = steps.at(-1)!
    if (expected !== undefined) last.expected.push(expected)
    else if (last.expected.length > 0) steps.push({ command: `${line}\n`, expected: [] })
    else last.command += `${line}\n`
  }
  return steps
}

const MARK = '~~~ next ~~~'
const hasCurl = spawnSync('curl', ['--version']).status === 0

describe.skipIf(!hasCurl)('docs/authentication.md (skipped where there is no curl)', () => {
  const ports = new Map<string, string>()
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'data'))
  for (const name of ['bin', 'dist', 'node_modules', 'package.json']) {
    symlinkSync(join(ROOT, name), join(folder, name))
  }
  const withPorts = (text: string): string =>
    text.replace(/127\.0\.0\.1:(\d+)/g, (_all, port: string) => `127.0.0.1:${ports.get(port) ?? port}`)

  async function startServerOf(line: string): Promise<void> {
    const [, flags = ''] = /^\$ bin\/palimpsest serve --data-dir data\/mywiki (.*)$/m.exec(line) ?? []
    const [, port = ''] = /--port (\d+)/.exec(flags) ?? []
    const others = flags
      .replace(/--port \d+ ?/, '')
      .replace('data/jwt-secret', join(folder, 'data/jwt-secret'))
    ports.set(port, String(await startProcess(join(folder, 'data/mywiki'), ...others.split(' '))))
  }

  function runSteps(block: string): void {
    const steps = stepsOf(block)
    const script = steps.map(({ command }) => withPorts(command)).join(`echo; echo '${MARK}'\n`)
    const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-eu', '-c', script], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const outputs = stdout.split(MARK)
    for (const [n, { expected }] of steps.entries()) {
      for (const part of expected) expect(outputs[n]).toContain(part)
    }
  }

  test.each(blocksOf(PAGE).map((block, n) => [n + 1, block.heading, block] as const))(
    'block %i, under "%s", does what it says',
    async (_n, _heading, { kind, text }) => {
      if (kind === 'console') await startServerOf(text)
      else runSteps(text)
    },
  )
})
