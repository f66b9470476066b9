/** Real-time priority of event loops, as the system shows it. */
// @module-tag slow
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { gardenFolder } from '../conformance/garden.js'
import { ADDRESS, NO_HTML, portOf, type Run, run, runUnder } from '../support/command.js'
import { argumentsOf, childrenOf, policyOf } from '../support/processes.js'

/** Starts a process without root's right to real-time priority. `rtprio` is its limit, as LimitRTPRIO= of systemd. */
const withLimit = (rtprio: number): string[] => [
  ...['setpriv', '--bounding-set=-sys_nice', '--inh-caps=-sys_nice', 'prlimit', `--rtprio=${rtprio}`],
]
const NO_PRIORITY = /no real-time priority for the event loop/
const NORMAL = 0
const ROUND_ROBIN = 2

const mayRunFirst = spawnSync('chrt', ['--rr', '1', 'true']).status === 0
const mayLimit = (rtprio: number): boolean =>
  spawnSync('setpriv', [...withLimit(rtprio).slice(1), 'true']).status === 0

let dataDir: string
beforeAll(async () => {
  dataDir = await gardenFolder()
})

const flags = (...more: string[]): string[] => [
  'serve',
  '--data-dir',
  dataDir,
  '--port',
  '0',
  NO_HTML,
  ...more,
]

/** The server process of a supervisor that has one. */
function onlyChild(supervisor: Run): number {
  const children = childrenOf(supervisor.child.pid!)
  expect(children).toHaveLength(1)
  return children[0]!
}

/** The policies of a process's other threads. A thread may end meanwhile, such as the one that looks for damage. */
const policiesOfOthers = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => (Number(thread) === pid ? undefined : policyOf(pid, Number(thread))))
    .filter((policy) => policy !== undefined)

test.skipIf(!mayRunFirst)(
  'with --real-time the event loop comes before its threads (needs the right to real-time priority)',
  async () => {
    const server = run(...flags('--real-time'))
    await server.printed(ADDRESS)
    const pid = onlyChild(server)
    await expect.poll(() => policyOf(pid, pid)).toBe(ROUND_ROBIN)
    const others = policiesOfOthers(pid)
    expect(others.length).toBeGreaterThan(1)
    expect(new Set(others)).toEqual(new Set([NORMAL]))
  },
)

test.each([
  [['--real-time'], true],
  [['--processes', '2', '--real-time'], true],
  [['--processes', '2'], false],
])('after %j the threads of a server process collect their own garbage: %s', async (given, expected) => {
  const server = run(...flags(...given))
  await server.printed(ADDRESS)
  const servers = childrenOf(server.child.pid!).map(argumentsOf)
  expect(servers.map((line) => line.includes('--single-threaded-gc'))).toEqual(servers.map(() => expected))
  expect(servers).toHaveLength(given.includes('--processes') ? 2 : 1)
})

test.skipIf(!mayRunFirst)(
  'with --real-time each of several server processes has it, and their supervisor has not',
  async () => {
    const server = run(...flags('--processes', '2', '--real-time'))
    await server.printed(ADDRESS)
    const supervisor = server.child.pid!
    const policies = (): (number | undefined)[] => childrenOf(supervisor).map((pid) => policyOf(pid, pid))
    await expect.poll(policies).toEqual([ROUND_ROBIN, ROUND_ROBIN])
    expect(policyOf(supervisor, supervisor)).toBe(NORMAL)
  },
)

test('without --real-time all threads have normal priority', async () => {
  const server = run(...flags())
  await server.printed(ADDRESS)
  const pid = server.child.pid!
  expect(policyOf(pid, pid)).toBe(NORMAL)
  expect(new Set(policiesOfOthers(pid))).toEqual(new Set([NORMAL]))
})

test.skipIf(!mayLimit(0))(
  'a server without the right says so and serves (needs root and setpriv)',
  async () => {
    const server = runUnder(withLimit(0), ...flags('--real-time'))
    const port = portOf(await server.printed(ADDRESS))
    await server.printed(NO_PRIORITY)
    expect(server.output.stderr).toMatch(/Operation not permitted/)
    expect((await fetch(`http://127.0.0.1:${port}/v1/page/Compost`)).status).toBe(200)
  },
)

test.skipIf(!mayLimit(1))(
  'the limit of the systemd unit is right enough (needs root with CAP_SYS_RESOURCE, and setpriv)',
  async () => {
    const server = runUnder(withLimit(1), ...flags('--real-time'))
    await server.printed(ADDRESS)
    const pid = onlyChild(server)
    await expect.poll(() => policyOf(pid, pid)).toBe(ROUND_ROBIN)
  },
)

test('a server on a machine without chrt says so and serves', async () => {
  const server = runUnder(['env', 'PATH=/nowhere'], ...flags('--real-time'))
  const port = portOf(await server.printed(ADDRESS))
  await server.printed(NO_PRIORITY)
  expect(server.output.stderr).toMatch(/there is no program chrt/)
  expect((await fetch(`http://127.0.0.1:${port}/v1/page/Compost`)).status).toBe(200)
})
