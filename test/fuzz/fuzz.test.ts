/**
 * Hostile requests on all routes, whole and cut short, many on a connection. FUZZ_REQUESTS says how many: `make fuzz`
 * sends 200,000, a run of all tests some thousands. FUZZ_SEED chooses others.
 */
// @module-tag hostile
import { expect, test } from 'vitest'
import { flagName } from '../../src/config/config.js'
import { SETTINGS } from '../../src/config/settings.js'
import { gardenFolder, send } from '../conformance/garden.js'
import { ADDRESS, portOf, run } from '../support/command.js'
import { memoryOf } from '../support/processes.js'
import { randomNumbers } from '../support/random.js'
import { abandon, type Ending, sendBurst } from './client.js'
import { RandomRequests } from './requests.js'

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 3000)
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260)
const CLIENTS = 48
/** Ends what hangs. */
const TIMEOUT_MS = 1_800_000
/** Some texts take the engine minutes: the limits of a server as it is shipped end them, and no outcome depends on when. */
const LIMITS = ['renderTimeoutMs', 'convertTimeoutMs'] as const
/** Errors of 500 and above that the API specifies. The HTTP library answers 505 to bytes that are not HTTP/1.1. */
const SPECIFIED =
  /"(?:errorKey|code|title)":"(rest-html-not-configured|rest-compare-wikidiff2|rest-pagehistorycount-too-many-revisions|rest-server-busy|rest-task-timeout|rest-html-limit|rest-html-failed|[a-z-]*backend[a-z-]*)"/
/** The same on pages for readers. */
const SHOWN = /class="error">(?:There is no HTML of this text|The server has too much|The answer took too)/
const FROM_THE_LIBRARY = 505
/** Why a text may have no HTML: it took too long on a busy machine, or exceeds a limit. Any other reason is a fault. */
const IS_TOO_MUCH = /"message":"(?:[^"]* was ended after \d+ ms|more than \d+ [a-z ]+)"/
/** Resident memory that may be gained by all of it: caches and the allocator's reserves. */
const MAX_GAIN_BYTES = 400e6

test(`a server bears ${REQUESTS} hostile requests`, { timeout: 3_600_000 }, async () => {
  const limits = LIMITS.flatMap((name) => [flagName(name), String(SETTINGS[name].default)])
  const flags = ['--data-dir', await gardenFolder(), '--port', '0', '--anonymous-edits', ...limits]
  const server = run('serve', ...flags)
  const port = portOf(await server.printed(ADDRESS))
  const before = memoryOf(server.child.pid!, 'VmRSS')
  const endings: Record<Ending, number> = { answered: 0, closed: 0, hung: 0 }
  const statuses = new Map<number, number>()
  const faults: string[] = []
  let sent = 0
  const client = async (number: number): Promise<void> => {
    const random = randomNumbers(SEED + number)
    const made = new RandomRequests(random)
    while (sent < REQUESTS && faults.length === 0) {
      const requests = Array.from({ length: 1 + Math.floor(random() * 12) }, () => made.next())
      sent += requests.length
      if (random() < 0.05) {
        const bytes = Buffer.concat(requests)
        await abandon(port, bytes.subarray(0, Math.floor(random() * bytes.length)))
        continue
      }
      const { ending, answers } = await sendBurst(port, requests, TIMEOUT_MS)
      endings[ending]++
      for (const { status, body } of answers) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        // An answer to HEAD says its reason to nobody; the log does.
        const isUnspoken = status === 503 && body === ''
        const isFault = status >= 500 && status !== FROM_THE_LIBRARY && !isUnspoken && !isSpecified(body)
        if (isFault) faults.push(`${status} ${body}\n${Buffer.concat(requests).toString('latin1')}`)
      }
      if (ending === 'hung') faults.push(`no answer to\n${Buffer.concat(requests).toString('latin1')}`)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_unused, n) => client(n)))
  process.stdout.write(
    `${sent} requests: ${JSON.stringify({ endings, statuses: Object.fromEntries(statuses) })}\n`,
  )

  expect(faults).toEqual([])
  expect(server.child.exitCode).toBeNull()
  expect(server.output.stderr).not.toContain('"level":50')
  const failures = server.output.stderr.split('\n').filter((line) => line.includes('HTML could not be made'))
  expect(failures.filter((line) => !IS_TOO_MUCH.test(line))).toEqual([])
  expect((await send(port, '/v1/page/Compost/history', {})).status).toBe(200)
  // `node:net` closes a connection at the first request that it cannot parse, so the others of its burst get no answer.
  expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(sent / 4)
  expect(endings.answered).toBeGreaterThan(0)
  expect(memoryOf(server.child.pid!, 'VmRSS') - before).toBeLessThan(MAX_GAIN_BYTES)
  server.child.kill('SIGTERM')
  expect(await server.exit).toBe(0)
})

const isSpecified = (body: string): boolean => SPECIFIED.test(body) || SHOWN.test(body)
