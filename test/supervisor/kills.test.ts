/** Servers and supervisors that are killed or stopped at any moment of their lives: nothing of them stays. */
// @module-tag kills
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { gardenFolder } from '../conformance/garden.js'
import { ADDRESS, NO_HTML, portOf, type Run, runProgram, START } from '../support/command.js'
import { rounds } from '../support/effort.js'
import { childrenOf, processesWith, whenGone } from '../support/processes.js'
import { randomNumbers } from '../support/random.js'
import { Readers } from './readers.js'

const SEED = Number(process.env['SEED'] ?? 1)
/** Two rounds of `LIVES`, one with HTML for each without. */
const KILLS = rounds(300, 10)
/** What an orphan may take to end. */
const MAX_ORPHAN_MS = 2000

let dataDir: string
/** A little longer than a start takes on this machine as it is now. */
let startMs: number
beforeAll(async () => {
  dataDir = await gardenFolder()
  const beganMs = performance.now()
  const servers = startMarked('WARM_UP=1', false)
  await servers.printed(ADDRESS)
  startMs = 1.2 * (performance.now() - beganMs)
  servers.child.kill('SIGTERM')
  expect(await servers.exit).toBe(0)
})

/** Starts a supervisor with two server processes, all of which bear the mark. Those with HTML start more threads. */
function startMarked(mark: string, html: boolean): Run {
  const flags = ['--data-dir', dataDir, '--port', '0', '--processes', '2']
  return runProgram('env', mark, process.execPath, START, 'serve', ...flags, ...(html ? [] : [NO_HTML]))
}

const random = randomNumbers(SEED)
const randomMoment = (mostMs: number): Promise<void> => delay(random() * mostMs)

type Life = (servers: Run) => Promise<unknown>

/** Each ends at the moment of the kill. */
const LIVES: Readonly<Record<string, Life>> = {
  start: () => randomMoment(startMs),
  work: async (servers) => {
    const port = portOf(await servers.printed(ADDRESS))
    const readers = new Readers([`http://127.0.0.1:${port}/v1/page/Compost`], 2)
    void servers.exit.then(() => readers.stop())
    await randomMoment(300)
  },
  renewal: async (servers) => {
    await servers.printed(ADDRESS)
    servers.child.kill('SIGHUP')
    await randomMoment(startMs)
  },
  stop: async (servers) => {
    await servers.printed(ADDRESS)
    servers.child.kill('SIGTERM')
    await randomMoment(300)
  },
  'loss of a server': async (servers) => {
    await servers.printed(ADDRESS)
    const [victim] = childrenOf(servers.child.pid!)
    process.kill(victim!, 'SIGKILL')
    await randomMoment(startMs)
  },
}

test(
  `no orphan gets older than ${MAX_ORPHAN_MS} ms in ${KILLS} kills of supervisors (SEED=${SEED})`,
  { timeout: 900_000 + KILLS * 20_000 },
  async ({ annotate }) => {
    const lives = Object.entries(LIVES)
    const ages: number[] = []
    for (let n = 0; n < KILLS; n++) {
      const [name, live] = lives[n % lives.length]!
      const mark = `KILL_MARK=${process.pid}-${n}`
      const servers = startMarked(mark, n % 2 === 0)
      await live(servers)
      servers.child.kill('SIGKILL')
      const { ageMs, tookMs } = await whenGone(mark)
      ages.push(tookMs)
      expect(ageMs, `kill ${n}, at ${name}; it took ${tookMs} ms by the clock`).toBeLessThan(MAX_ORPHAN_MS)
      await servers.exit
    }
    const [median, longest] = [ages.toSorted((a, b) => a - b)[ages.length >> 1]!, Math.max(...ages)]
    await annotate(`gone after ${median.toFixed(0)} ms in the median, ${longest.toFixed(0)} ms at most`)
  },
)

/** Each signal, with HTML and without. */
const STOPS = rounds(60, 4)

test(
  `a stop at any moment of a start ends with 0 and leaves nothing, ${STOPS} times (SEED=${SEED})`,
  { timeout: 900_000 + STOPS * 20_000 },
  async () => {
    for (let n = 0; n < STOPS; n++) {
      const mark = `STOP_MARK=${process.pid}-${n}`
      const servers = startMarked(mark, n % 4 < 2)
      await randomMoment(startMs)
      servers.child.kill(n % 2 === 0 ? 'SIGTERM' : 'SIGINT')
      const status = await servers.exit
      expect(processesWith(mark)).toEqual([])
      const { stdout, stderr } = servers.output
      // Before its first line Node.js ends by the signal.
      if (status === null) expect([stdout, stderr]).toEqual(['', ''])
      else {
        expect(status, stderr).toBe(0)
        expect(stderr).toMatch(/stopped by SIG|"msg":"stopping"/)
        expect(stderr).not.toMatch(/"level":(50|60)|killed/)
      }
    }
  },
)
