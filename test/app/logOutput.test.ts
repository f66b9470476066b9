/** The log of a server whose standard error cannot be written. */
// @module-tag slow
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { LogOutput } from '../../src/app/logger.js'
import { gardenFolder } from '../conformance/garden.js'
import { afterFile } from '../support/cleanUp.js'
import { NO_HTML, START } from '../support/command.js'
import { FullPipe } from '../support/fullPipe.js'
import { freePort } from '../support/ports.js'
import { temporaryFolder } from '../support/store.js'

describe('lines for standard error', () => {
  /** A stream whose writes end when the test says so. */
  function slowStream(): { stream: Writable; written: string[]; end: (error?: Error) => Promise<void> } {
    const written: string[] = []
    let done: ((error?: Error | null) => void) | undefined
    const stream = new Writable({
      decodeStrings: false,
      // As Node's standard error: it goes on after a fault.
      destroy: (error, callback) => {
        callback(error)
        ;(stream as Writable & { _undestroy(): void })._undestroy()
      },
      write: (line: string, _encoding, callback) => {
        written.push(line)
        done = callback
      },
    })
    const end = async (error?: Error): Promise<void> => {
      done?.(error)
      await new Promise(setImmediate)
    }
    return { stream, written, end }
  }

  const droppedBy = (output: LogOutput): number | undefined => output.figures()[0]?.values[0]?.value

  test('wait up to a bound, are dropped and counted beyond it, and the log tells when it goes on', async () => {
    const { stream, written, end } = slowStream()
    const output = new LogOutput(stream)
    const told: number[] = []
    output.onRecovery = (dropped) => told.push(dropped)
    const line = `${'x'.repeat(2 ** 18 - 1)}\n`
    for (let n = 0; n < 7; n++) output.write(line)
    expect(droppedBy(output)).toBe(3)
    for (let n = 0; n < 3; n++) await end()
    expect(told).toEqual([])
    await end()
    expect(told).toEqual([3])
    expect(written).toEqual([line, line, line, line])
    output.write('next\n')
    await end()
    expect(told).toEqual([3])
    expect(droppedBy(output)).toBe(3)
  })

  test('begin on a line of their own after a fault of the disk', async () => {
    const { stream, written, end } = slowStream()
    const output = new LogOutput(stream)
    output.onRecovery = (dropped) => output.write(`${dropped} lost\n`)
    output.write('half of a li')
    await end(new Error('no space left on device'))
    output.write('next\n')
    for (let n = 0; n < 3; n++) await end()
    expect(written).toEqual(['half of a li', 'next\n', '\n', '1 lost\n'])
    expect(droppedBy(output)).toBe(1)
  })
})

test('a follower ends while nobody reads its standard error', async () => {
  const pipe = new FullPipe()
  let asked = (): void => undefined
  const isAsked = new Promise<void>((resolve) => (asked = resolve))
  // A wiki that does not answer.
  const wiki = createServer(() => asked()).listen(0, '127.0.0.1')
  await once(wiki, 'listening')
  afterFile(() => wiki.close())
  const url = `http://127.0.0.1:${(wiki.address() as AddressInfo).port}/api.php`
  const line = [START, 'follow', '--data-dir', join(temporaryFolder(), 'mirror'), '--upstream', url]
  const child = spawn(process.execPath, line, { stdio: ['ignore', 'ignore', pipe.writeFd] })
  afterFile(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  await isAsked
  child.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
  expect(pipe.read()).toBe('')
})

describe('a server', () => {
  let dataDir: string
  beforeAll(async () => {
    dataDir = await gardenFolder()
  })

  interface Started {
    readonly child: ChildProcess
    readonly exit: Promise<number | null>
    readonly get: (path: string) => Promise<string>
  }

  /** Its greeting cannot be read in all cases, so it has a port that is known. */
  async function start(
    stdout: number | 'ignore',
    stderr: number | 'pipe',
    ...flags: string[]
  ): Promise<Started> {
    const port = await freePort()
    const own = ['serve', '--data-dir', dataDir, '--port', String(port), NO_HTML, ...flags]
    const child = spawn(process.execPath, [START, ...own], { stdio: ['ignore', stdout, stderr] })
    const exit = new Promise<number | null>((resolve) => child.on('exit', resolve))
    afterFile(() => child.kill('SIGKILL'))
    const get = async (path: string): Promise<string> =>
      (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    await expect.poll(() => get('/healthz').catch(() => '')).toContain('alive')
    return { child, exit, get }
  }

  const DROPPED = /^palimpsest_server_log_dropped_total(?:\{[^}]*\})? ([1-9]\d*)$/m

  test.each([
    ['one process', ['--processes', '1']],
    ['several processes', ['--processes', '2']],
  ])('of %s goes on and stops in order while nobody reads its standard error', async (_case, flags) => {
    const pipe = new FullPipe()
    const { child, exit, get } = await start('ignore', pipe.writeFd, ...flags)
    child.kill('SIGHUP')
    expect(await get('/v1/page/Compost')).toContain('Compost')
    expect(await get('/healthz')).toContain('alive')
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
  })

  test('writes the lines that waited once somebody reads its standard error', async () => {
    const pipe = new FullPipe()
    const { child, exit } = await start('ignore', pipe.writeFd, '--processes', '1')
    child.kill('SIGTERM')
    let read = ''
    await expect.poll(() => (read += pipe.read())).toContain('"msg":"stopped"')
    expect(await exit).toBe(0)
    expect(read).toContain('"msg":"stopping"')
  })

  test('goes on and stops in order while nobody reads its access log', async () => {
    const pipe = new FullPipe()
    const flags = ['--processes', '1', '--access-log', 'json', '--access-log-file', '-']
    const { child, exit, get } = await start(pipe.writeFd, 'pipe', ...flags)
    expect(await get('/v1/page/Compost')).toContain('Compost')
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
  })

  test('goes on when the reader of its standard error has gone, and counts the lost lines', async () => {
    const { child, exit, get } = await start('ignore', 'pipe', '--processes', '1')
    child.stderr!.destroy()
    child.kill('SIGHUP')
    await expect.poll(() => get('/metrics')).toMatch(DROPPED)
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
  })

  test('goes on when the disk behind its standard error is full, and counts the lost lines', async () => {
    const { child, exit, get } = await start('ignore', openSync('/dev/full', 'w'), '--processes', '2')
    child.kill('SIGHUP')
    await expect.poll(() => get('/metrics')).toMatch(DROPPED)
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
  })
})
