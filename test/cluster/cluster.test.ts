/** The commands of a cluster on a real engine, with faults. `make cluster` does the same for longer. */
// @module-tag cluster
import { expect, onTestFinished, test } from 'vitest'
import { Cluster } from '../../bench/cluster/cluster.js'
import { MISSING_POSTGRES, startPostgresEngine } from '../../bench/cluster/postgres.js'
import type { ClusterOptions } from '../../bench/cluster/options.js'
import { runFaults } from '../../bench/cluster/faults.js'
import { Sandbox } from '../../bench/support/sandbox.js'

const SMALL: ClusterOptions = {
  operations: 300,
  clients: 8,
  pages: 20,
  thinkMs: 50,
  kills: 3,
  engineKills: 1,
  pauseSeconds: 5,
  seed: 3,
}

interface Told {
  readonly status: number
  /** Empty unless the answer is an error of the server. */
  readonly errorKey: string
}

const NO_ANSWER: Told = { status: 0, errorKey: 'no answer' }

/** Makes a page. */
async function create(origin: string, title: string): Promise<Told> {
  const body = JSON.stringify({ source: title, title, comment: '', token: '+\\' })
  const headers = { 'content-type': 'application/json' }
  try {
    const answer = await fetch(`${origin}/v1/page`, { method: 'POST', headers, body })
    const { errorKey = '' } = (await answer.json()) as { errorKey?: string }
    return { status: answer.status, errorKey }
  } catch {
    return NO_ANSWER
  }
}

/** The name of a skipped test says what is missing. */
function testCluster(name: string, action: () => Promise<void>): void {
  if (MISSING_POSTGRES === undefined) test(name, action)
  else test.skip(`${name} (${MISSING_POSTGRES})`, action)
}

function sandbox(): Sandbox {
  const made = new Sandbox()
  onTestFinished(() => made.close())
  return made
}

testCluster('a cluster loses no edit when its parts are killed and stopped', async () => {
  const { rows, faults } = await runFaults(sandbox(), await startPostgresEngine(), SMALL)
  expect(faults).toEqual([])
  const figures = Object.fromEntries(rows)
  expect(Number(figures['kills of nodes']) + Number(figures['kills of server processes'])).toBe(SMALL.kills)
  expect(figures['kills of the engine']).toBe(String(SMALL.engineKills))
  expect(Number(figures['saved'])).toBeGreaterThan(100)
  expect(Number(figures['reads of own edits'])).toBeGreaterThan(10)
})

/** A cluster of one node whose edits have little time. */
async function oneNode(): Promise<{ origin: string; stopEngine: () => Promise<void> }> {
  const engine = await startPostgresEngine()
  const plan = { engine, nodes: 1, processes: 1, titles: [], parts: 1, flags: ['--write-timeout-ms', '3000'] }
  const [node] = (await Cluster.found(sandbox(), plan)).nodes
  return { origin: node!.origin, stopEngine: () => engine.kill() }
}

testCluster('without its engine, an edit is refused as not saved once the node knows', async () => {
  const { origin, stopEngine } = await oneNode()
  expect(await create(origin, 'Before')).toMatchObject({ status: 201 })
  await stopEngine()
  await expect.poll(async () => (await fetch(`${origin}/readyz`)).text()).toContain('"unreachable"')
  expect(await create(origin, 'During')).toEqual({ status: 503, errorKey: 'rest-log-unavailable' })
})
