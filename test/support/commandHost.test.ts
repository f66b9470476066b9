/** The process that runs the commands of tests. */
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { afterFile, folderOfFile } from './cleanUp.js'
import { CommandHost } from './commandHost.js'
import { isRunning } from './processes.js'

/** Its arguments say what to do. It prints the number of its process. */
const PROGRAM = `
  import { openSync } from 'node:fs'
  const [deed, what] = process.argv.slice(2)
  process.stdout.write(String(process.pid))
  if (deed === 'throw') throw new Error(what)
  if (deed === 'die') process.kill(process.pid, what)
  if (deed === 'exit') process.exit(Number(what))
  if (deed === 'open') openSync(what)
  if (deed === 'read') for await (const chunk of process.stdin) process.stderr.write(String(chunk.length))
`

function hostOf(program: string): CommandHost {
  const path = join(folderOfFile(), 'program.mjs')
  writeFileSync(path, program)
  const host = new CommandHost(path, process.env)
  afterFile(() => host.close())
  return host
}

test('commands run in one process, each with its own streams, also when one throws', () => {
  const host = hostOf(PROGRAM)
  const first = host.run({ parts: [] })
  expect(first).toMatchObject({ status: 0, err: '' })
  const { status, out, err } = host.run({ parts: ['throw', 'a fault'] })
  expect({ status, out }).toEqual({ status: 1, out: first.out })
  expect(err).toMatch(/^Error: a fault\n/)
  // More than a pipe holds.
  expect(host.run({ parts: ['read'], input: 'x'.repeat(100_000) })).toEqual({ ...first, err: '100000' })
})

test.each([
  ['die', 'SIGKILL', 'signal 9 in the process of: die SIGKILL'],
  ['exit', '3', 'exit status 3 in the process of: exit 3'],
])('a command that ends its process fails alone: %s %s', (deed, what, message) => {
  const host = hostOf(PROGRAM)
  const first = host.run({ parts: [] })
  expect(() => host.run({ parts: [deed, what] })).toThrow(message)
  const next = host.run({ parts: [] })
  expect(next).toMatchObject({ status: 0, err: '' })
  expect(next.out).not.toBe(first.out)
})

test('after a command that leaves a store open, its process ends, and another one serves', () => {
  const host = hostOf(PROGRAM)
  const store = join(folderOfFile(), 'data.mdb')
  closeSync(openSync(store, 'w'))
  const { status, out } = host.run({ parts: ['open', store] })
  expect(status).toBe(0)
  expect(isRunning(Number(out))).toBe(false)
  expect(host.run({ parts: [] }).out).not.toBe(out)
})
