/** Starts of commands and servers: time, processor time, memory of an idle server. See bench/README.md. */
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { groupCpuTime } from './support/cpuTime.js'
import { measureRun } from './import/measuredRun.js'
import { readOptions } from './support/options.js'
import { freePort } from './support/ports.js'
import { readMemory } from './support/processMemory.js'
import { PALIMPSEST, REPOSITORY } from './support/repository.js'
import { writeResult } from './support/results.js'
import { Sandbox } from './support/sandbox.js'
import { type Summary, summarise } from './support/statistics.js'
import { printTable } from './support/table.js'

const AIM = 'Aims: first answer after 0.3 s, diff of two lines 0.15 s, an idle process below 100 MB.'
/** By then, the threads of a server have started. */
const IDLE_MS = 3000
const ASK_AGAIN_MS = 2

interface Sample {
  readonly product: string
  readonly figure: string
  readonly round: number
  readonly value: number
}

/** The checkout, and another one to compare with: PEER is the path of its command. */
const { PEER } = process.env
const PRODUCTS = Object.entries({ checkout: PALIMPSEST, ...(PEER !== undefined && { peer: PEER }) })

const { rounds = 11 } = readOptions()
const sandbox = new Sandbox()
try {
  await measure()
} finally {
  await sandbox.close()
}

async function measure(): Promise<void> {
  const folder = sandbox.folder('start')
  const wiki = join(folder, 'wiki')
  await sandbox.run(PALIMPSEST, [
    'import',
    '--quiet',
    '--data-dir',
    wiki,
    join(REPOSITORY, 'sample/handbook.xml'),
  ])
  const [from, to] = ['from', 'to'].map((name) => join(folder, name))
  writeFileSync(from!, 'one\ntwo\n')
  writeFileSync(to!, 'one\nthree\n')
  const samples: Sample[] = []
  for (let round = 1; round <= rounds; round++) {
    const add = (product: string, figures: Readonly<Record<string, number>>): void => {
      for (const [figure, value] of Object.entries(figures)) samples.push({ product, figure, round, value })
    }
    add('Node alone', await command('node -e 0', process.execPath, ['-e', '0']))
    for (const [product, program] of PRODUCTS) {
      add(product, await command('--version', program, ['--version']))
      add(product, await command('diff of two lines', program, ['diff', from!, to!]))
      add(product, await startServer(program, wiki))
    }
  }
  report(samples)
}

async function command(
  name: string,
  program: string,
  args: readonly string[],
): Promise<Record<string, number>> {
  const { wallSeconds, userSeconds, systemSeconds } = await measureRun(sandbox, program, args, {
    keepOutput: true,
    withMemory: false,
  })
  return { [`${name}, ms`]: 1000 * wallSeconds, [`${name}, CPU ms`]: 1000 * (userSeconds + systemSeconds) }
}

/** Starts a server in one process, and asks until it answers. */
async function startServer(program: string, wiki: string): Promise<Record<string, number>> {
  const port = String(await freePort())
  const startMs = performance.now()
  const args = ['serve', '--data-dir', wiki, '--host', '127.0.0.1', '--port', port]
  const { pid } = await sandbox.start(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  await firstAnswer(`http://127.0.0.1:${port}/v1/page/Main_Page/bare`)
  const firstMs = performance.now() - startMs
  const atFirst = cpuMs(pid!)
  await sleep(IDLE_MS)
  const figures = {
    'first answer, ms': firstMs,
    'first answer, CPU ms': atFirst,
    'idle server, CPU ms': cpuMs(pid!),
    'idle server, private MB': readMemory(pid!)!.privateBytes / 1e6,
  }
  await sandbox.stop(pid!)
  return figures
}

async function firstAnswer(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer !== undefined) {
      if (!answer.ok) throw new Error(`${url} answers ${answer.status}`)
      return void (await answer.arrayBuffer())
    }
    await sleep(ASK_AGAIN_MS)
  }
}

function cpuMs(pid: number): number {
  const { userMs, systemMs } = groupCpuTime(pid)
  return userMs + systemMs
}

function report(samples: readonly Sample[]): void {
  const summary: Record<string, Record<string, Summary>> = {}
  for (const { product, figure } of samples)
    (summary[figure] ??= {})[product] ??= summarise(
      samples.filter((sample) => sample.product === product && sample.figure === figure).map((s) => s.value),
    )
  const names = ['Node alone', ...PRODUCTS.map(([name]) => name)]
  const cell = (found: Summary | undefined): string =>
    found === undefined
      ? ''
      : `${found.median.toFixed(0)} (${found.min.toFixed(0)} to ${found.max.toFixed(0)})`
  printTable(
    ['figure', ...names],
    Object.entries(summary).map(([figure, found]) => [figure, ...names.map((name) => cell(found[name]))]),
  )
  console.log(`\n${AIM}`)
  writeResult('start', { setup: { rounds, idleMs: IDLE_MS }, samples, summary })
}
