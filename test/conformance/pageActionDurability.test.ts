/** A move, deletion or upload that was acknowledged stays, and one that a kill meets is there as a whole or not at all. */
// @module-tag kills
import { expect, test } from 'vitest'
import { Applier } from '../../src/storage/apply/applier.js'
import { originalProblems } from '../../src/files/verifyOriginals.js'
import { Store } from '../../src/storage/store.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { ADDRESS, NO_HTML, portOf, run } from '../support/command.js'
import { rounds } from '../support/effort.js'
import { png } from '../support/pictures.js'
import { randomNumbers } from '../support/random.js'
import { problems, temporaryStore } from '../support/store.js'
import { temporaryFolder } from './garden.js'
import { createToken, createUser } from './signedIn.js'

const ROUNDS = rounds(40, 8)
const CLIENTS = 4

/** A file goes round with its page: to another title, away, back, to its first title, and to new contents. */
const STEPS: readonly ((here: string, there: string) => Record<string, string>)[] = [
  (here, there) => ({ action: 'move', from: here, to: there, noredirect: '1' }),
  (_, there) => ({ action: 'delete', title: there, reason: 'round' }),
  (_, there) => ({ action: 'undelete', title: there }),
  (here, there) => ({ action: 'move', from: there, to: here, noredirect: '1' }),
  (here) => ({ action: 'upload', filename: here.slice('File:'.length), ignorewarnings: '1' }),
]
const fieldsOf = (client: number, step: number): Record<string, string> =>
  STEPS[step % STEPS.length]!(`File:Client ${client}.png`, `File:Client ${client} elsewhere.png`)

/** Where the page is after a number of steps: at the first title, at the second, or at none. */
const PLACES = ['here', 'there', 'nowhere', 'there', 'here'] as const
const placeAfter = (steps: number): string => PLACES[steps % PLACES.length]!

async function placeOf(port: number, client: number): Promise<string> {
  const [here, there] = await Promise.all(
    [`File:Client_${client}.png`, `File:Client_${client}_elsewhere.png`].map(async (key) => {
      const { status } = await fetch(`http://127.0.0.1:${port}/v1/page/${key}`)
      // The file is where its page is.
      expect((await fetch(`http://127.0.0.1:${port}/v1/file/${key}`)).status).toBe(status)
      return status
    }),
  )
  return `${here === 200 ? 'here' : ''}${there === 200 ? 'there' : ''}` || 'nowhere'
}

const random = randomNumbers(7)
/** Contents that no file has. */
const picture = (): Promise<Buffer> =>
  png(
    9,
    9,
    `#${Math.floor(random() * 0xffffff)
      .toString(16)
      .padStart(6, '0')}`,
  )

async function ask(port: number, token: string, fields: Record<string, string>): Promise<void> {
  const body = new FormData()
  for (const [name, value] of Object.entries({ ...fields, format: 'json', token: 'none needed' }))
    body.set(name, value)
  if (fields['action'] === 'upload') body.set('file', new Blob([new Uint8Array(await picture())]), 'x.png')
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`http://127.0.0.1:${port}/api.php`, { method: 'POST', headers, body })
  expect(await response.json()).not.toHaveProperty('error')
}

test(`a server that is killed ${ROUNDS} times has every step that it acknowledged`, async () => {
  const folder = temporaryFolder()
  const made = Store.open(folder, { create: true })
  const applier = new Applier(made)
  const token = createToken(applier, createUser(applier, 'Sue', ['sysop']))
  await made.close()
  const steps = Array.from({ length: CLIENTS }, () => 0)
  for (let round = 0; round < ROUNDS; round++) {
    const server = run('serve', '--data-dir', folder, '--port', '0', NO_HTML)
    const port = portOf(await server.printed(ADDRESS))
    if (round === 0)
      for (const client of steps.keys())
        await ask(port, token, { action: 'upload', filename: `Client ${client}.png`, ignorewarnings: '1' })
    for (const [client, done] of steps.entries()) {
      const place = await placeOf(port, client)
      expect([placeAfter(done), placeAfter(done + 1)]).toContain(place)
      if (place !== placeAfter(done)) steps[client]!++
    }
    let untilKill = 1 + Math.floor(random() * 6 * CLIENTS)
    await Promise.all(
      steps.map(async (_, client) => {
        try {
          for (;;) {
            await ask(port, token, fieldsOf(client, steps[client]!))
            steps[client]!++
            if (--untilKill === 0) server.child.kill('SIGKILL')
          }
        } catch (error) {
          // What fetch throws when the connection breaks.
          if (!(error instanceof TypeError)) throw error
        }
      }),
    )
    await server.exit
  }
  const store = Store.open(folder)
  try {
    expect(problems(store)).toEqual([])
    for await (const problem of originalProblems(folder, store, { hashes: true })) expect(problem).toBe('')
    expect([...store.logEvents.list()].length).toBeGreaterThanOrEqual(steps.reduce((sum, n) => sum + n))
    expect(replayed(store)).toBe(true)
  } finally {
    await store.close()
  }
})

/** Whether the log gives the same store again. */
function replayed(from: Store): boolean {
  const { store, applier } = temporaryStore()
  const { log } = from
  for (const item of log.take(0, log.bounds().last))
    applier.submitReplayed(item, log.getVerdict(item.entry.id))
  return digestStore(store) === digestStore(from)
}
