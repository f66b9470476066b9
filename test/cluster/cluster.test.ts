/** The commands of a cluster on a real engine, with faults. `make cluster` does the same for longer. */
// @module-tag cluster
import { expect, onTestFinished, test } from 'vitest'
import { Cluster } from '../../bench/cluster/cluster.js'
import { create } from '../../bench/cluster/edits.js'
import { missingFor, startEngine } from '../../bench/cluster/engines/startEngine.js'
import { type ClusterOptions, ENGINES, type EngineName } from '../../bench/cluster/options.js'
import { runFaults } from '../../bench/cluster/scenarios/faults.js'
import { Sandbox } from '../../bench/support/sandbox.js'
import { rounds } from '../support/effort.js'

const present = ENGINES.filter((name) => missingFor(name) === undefined)
const engines = present.slice(0, rounds(present.length, 1))
const skipped = ENGINES.map((name) => missingFor(name)).join('; ')

const SMALL: Omit<ClusterOptions, 'engine'> = {
  scenario: 'faults',
  operations: 300,
  clients: 8,
  pages: 20,
  thinkMs: 50,
  kills: 3,
  engineKills: 1,
  pauseSeconds: 5,
  seed: 3,
}

function sandbox(): Sandbox {
  const made = new Sandbox()
  onTestFinished(() => made.close())
  return made
}

test.runIf(engines.length === 0)(`a cluster is not tested: ${skipped}`, () => {
  expect(present).toEqual([])
})

test.each(engines)('a cluster on %s loses no edit when its parts are killed and stopped', async (engine) => {
  const options = { ...SMALL, engine }
  const { rows, faults } = await runFaults(sandbox(), await startEngine(engine), options)
  expect(faults).toEqual([])
  const figures = Object.fromEntries(rows)
  expect(Number(figures['kills of nodes']) + Number(figures['kills of server processes'])).toBe(SMALL.kills)
  expect(figures['kills of the engine']).toBe(String(SMALL.engineKills))
  expect(Number(figures['saved'])).toBeGreaterThan(100)
  expect(Number(figures['reads of own edits'])).toBeGreaterThan(10)
})

/** A cluster of one node whose edits have little time. */
async function oneNode(engineName: EngineName): Promise<{ origin: string; stopEngine: () => Promise<void> }> {
  const engine = await startEngine(engineName)
  const plan = { engine, nodes: 1, processes: 1, titles: [], parts: 1, flags: ['--write-timeout-ms', '3000'] }
  const [node] = (await Cluster.found(sandbox(), plan)).nodes
  return { origin: node!.origin, stopEngine: () => engine.killAll() }
}

test.each(engines)('without %s, an edit is refused as not saved once the node knows', async (engine) => {
  const { origin, stopEngine } = await oneNode(engine)
  expect(await create(origin, 'Before')).toMatchObject({ status: 201 })
  await stopEngine()
  await expect.poll(async () => (await fetch(`${origin}/readyz`)).text()).toContain('"unreachable"')
  expect(await create(origin, 'During')).toEqual({ status: 503, errorKey: 'rest-log-unavailable' })
})
