/**
 * Overwriting old bytes after an erasure, in a store of about a gigabyte of which a third is free: how long its steps
 * hold the write lock, and what a reader in another process feels. See bench/README.md.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Wiper } from '../src/storage/erase/wiper.js'
import { writeMeta } from '../src/storage/tables/meta.js'
import { Store } from '../src/storage/store.js'
import { readOptions } from './support/options.js'
import { writeResult } from './support/results.js'
import { Sandbox } from './support/sandbox.js'
import { formatNumber, printTable } from './support/table.js'

const ROWS = 130_000
const ROW_BYTES = 7000
const BATCH = 1000

const sandbox = new Sandbox()
const dataDir = sandbox.folder('erase')
const store = Store.open(dataDir, { create: true })
const { text } = store.tables
for (let row = 1; row <= ROWS; row += BATCH) {
  store.transactDerived(() => {
    for (let n = row; n < row + BATCH; n++) text.putSync(n, randomBytes(ROW_BYTES))
  })
}
for (let row = 3; row <= ROWS; row += 3 * BATCH) {
  store.transactDerived(() => {
    for (let n = row; n < row + 3 * BATCH; n += 3) text.removeSync(n)
  })
}
const reader = fork(join(import.meta.dirname, 'erase/reader.js'), [dataDir, String(ROWS)])
await once(reader, 'message')

interface Sample {
  readonly pass: string
  readonly wallMs: number
  readonly cpuMs: number
  readonly writtenMb: number
  readonly steps: number
  readonly stepP50Ms: number
  readonly stepMaxMs: number
  readonly readP50Us: number
  readonly readP99Us: number
}

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

async function reads(): Promise<readonly number[]> {
  reader.send('report')
  const [times] = (await once(reader, 'message')) as [readonly number[]]
  return times
}

async function wipe(pass: string): Promise<Sample> {
  store.transactDerived(() => writeMeta(store.tables, 'wipe', { part: 'slack' }))
  await reads()
  const wiper = new Wiper(store)
  const steps: number[] = []
  const began = performance.now()
  const cpu = process.cpuUsage()
  for (let isDone = false; !isDone;) {
    const before = performance.now()
    isDone = wiper.step().isDone
    steps.push(performance.now() - before)
    await nextTurn()
  }
  const { user, system } = process.cpuUsage(cpu)
  const times = await reads()
  wiper.close()
  return {
    pass,
    wallMs: performance.now() - began,
    cpuMs: (user + system) / 1000,
    writtenMb: wiper.writtenBytes / 1e6,
    steps: steps.length,
    stepP50Ms: quantile(steps, 0.5),
    stepMaxMs: Math.max(...steps),
    readP50Us: 1000 * quantile(times, 0.5),
    readP99Us: 1000 * quantile(times, 0.99),
  }
}

async function idle(seconds: number): Promise<{ readP50Us: number; readP99Us: number }> {
  await reads()
  for (const end = performance.now() + 1000 * seconds; performance.now() < end;) await nextTurn()
  const times = await reads()
  return { readP50Us: 1000 * quantile(times, 0.5), readP99Us: 1000 * quantile(times, 0.99) }
}

const storeMb = statSync(store.file).size / 1e6
const alone = await idle(readOptions().seconds ?? 3)
const samples = [await wipe('first'), await wipe('again')]
printTable(
  ['pass', 'wall ms', 'cpu ms', 'written MB', 'steps', 'step p50 ms', 'max ms', 'read p50 µs', 'p99 µs'],
  [
    [
      '(reads alone)',
      '',
      '',
      '',
      '',
      '',
      '',
      formatNumber(alone.readP50Us, 1),
      formatNumber(alone.readP99Us, 1),
    ],
    ...samples.map((sample) => [
      sample.pass,
      ...[sample.wallMs, sample.cpuMs, sample.writtenMb, sample.steps].map((value) => formatNumber(value, 0)),
      ...[sample.stepP50Ms, sample.stepMaxMs, sample.readP50Us, sample.readP99Us].map((value) =>
        formatNumber(value, 1),
      ),
    ]),
  ],
)
reader.send('end')
await once(reader, 'exit')
await store.close()
writeResult('erase', { setup: { storeMb, rows: ROWS, rowBytes: ROW_BYTES }, samples, summary: { alone } })
sandbox.remove(dataDir)
