/**
 * Comparisons of real edits by Palimpsest, wikidiff2 in PHP, and the packages `diff` and `diff-match-patch`. Each runs
 * in its own process, in turns. See bench/README.md.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../support/machine.js'
import { readOptions } from '../support/options.js'
import { REPOSITORY } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { formatNumber } from '../support/table.js'
import {
  ALL,
  type PairSample,
  type PairSummary,
  printPairs,
  samplesOf,
  summarisePairRatios,
  summarisePairs,
} from './diff/pairReport.js'
import { findPairs, type Pair } from './diff/pairs.js'
import { TimedEngine } from './diff/timedEngine.js'

const OWN = 'palimpsest'
const WIKIDIFF2 = 'wikidiff2'
const PACKAGES = ['diff', 'diff-match-patch']
const CALLS = 5
const WARM_UP_TURNS = 4
/** Most time for all pairs, as a share of wikidiff2's time, and most for one pair. */
const AIM_OF_WIKIDIFF2 = 0.7
const AIM_WORST_MS = 10

const { rounds = 7 } = readOptions()
const pairs = findPairs()
if (pairs !== undefined) {
  const sandbox = new Sandbox()
  try {
    await measurePairs(sandbox, pairs)
  } finally {
    await sandbox.close()
  }
}

async function measurePairs(sandbox: Sandbox, allPairs: readonly Pair[]): Promise<void> {
  const engines = await startEngines(sandbox, allPairs)
  console.log(`${allPairs.length} pairs, ${rounds} rounds of ${CALLS} calls of each pair by each engine`)
  for (const engine of engines) for (let turn = 0; turn < WARM_UP_TURNS; turn++) await engine.measure(CALLS)
  const samples: PairSample[] = []
  for (let round = 1; round <= rounds; round++) {
    for (let turn = 0; turn < engines.length; turn++) {
      const engine = engines[(turn + round - 1) % engines.length]!
      samples.push(...samplesOf(engine.name, round, allPairs, await engine.measure(CALLS)))
    }
  }
  const figures = engines.flatMap(({ name }) => summarisePairs(samples, name))
  const ratios = engines.slice(1).flatMap(({ name }) => summarisePairRatios(samples, OWN, name))
  console.log()
  printPairs('ms', figures)
  console.log()
  printPairs('ratio within a round', ratios)
  tellAims(figures, ratios)
  const setup = { pairs: allPairs.length, rounds, calls: CALLS, engines: engines.map(({ name }) => name) }
  writeResult('diff', { setup, samples, summary: { figures, ratios } })
}

/** Starts the engines, Palimpsest first. */
async function startEngines(sandbox: Sandbox, allPairs: readonly Pair[]): Promise<TimedEngine[]> {
  const file = join(sandbox.folder('pairs'), 'pairs.json')
  writeFileSync(file, JSON.stringify(allPairs.map(({ from, to }) => [from, to])))
  const script = join(import.meta.dirname, 'diff/timeEngine.js')
  const inNode = (name: string): Promise<TimedEngine> =>
    TimedEngine.start(sandbox, name, process.execPath, [script, name, file])
  const engines = [await inNode(OWN)]
  const php = findPhp()
  if (php !== undefined) {
    const phpScript = join(REPOSITORY, 'bench/functions/diff/wikidiff2.php')
    engines.push(await TimedEngine.start(sandbox, WIKIDIFF2, php, ['-d', 'memory_limit=1G', phpScript, file]))
  }
  for (const name of PACKAGES) engines.push(await inNode(name))
  return engines
}

/** PHP with wikidiff2; undefined, with a message, if it is not installed. */
function findPhp(): string | undefined {
  const php = findProgram('php')
  if (php !== undefined && /^wikidiff2$/m.test(execFileSync(php, ['-m'], { encoding: 'utf8' }))) return php
  console.log('wikidiff2 is absent (Debian: apt install php-cli php-wikidiff2): measured without it.')
  return undefined
}

function tellAims(figures: readonly PairSummary[], ratios: readonly PairSummary[]): void {
  const worst = figures.find(({ engine, lang }) => engine === OWN && lang === ALL)?.figures.worst
  const ratio = ratios.find(({ peer, lang }) => peer === WIKIDIFF2 && lang === ALL)?.figures.sum
  console.log(
    `Aims: the sum at most ${AIM_OF_WIKIDIFF2} of wikidiff2's (${formatNumber(ratio?.median, 2)}); ` +
      `no pair above ${AIM_WORST_MS} ms (${formatNumber(worst?.median, 2)}).`,
  )
}
