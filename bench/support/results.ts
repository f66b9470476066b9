/** Writes results to bench/results/<name>.json. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { machineFacts } from './machine.js'
import { otherWork } from './otherWork.js'
import { RESULTS } from './repository.js'

export interface BenchResult {
  /** Conditions of the measurement: files with their sizes, lengths of samples, cores. */
  readonly setup: object
  /** Every sample, in the order of measurement. */
  readonly samples: readonly object[]
  /** Medians and spans, by the name of their figure. */
  readonly summary: object
}

/** Writes a result with facts about the machine and the commit. Replaces an older one of that name. */
export function writeResult(name: string, { setup, samples, summary }: BenchResult): void {
  mkdirSync(RESULTS, { recursive: true })
  const path = join(RESULTS, `${name}.json`)
  const others = otherWork()
  const result = {
    bench: name,
    measuredAt: new Date().toISOString(),
    machine: machineFacts(),
    ...(others && { others }),
    setup,
    summary,
    samples,
  }
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`)
  console.log(`\nEvery sample: ${path}`)
  if (others?.isBusy) {
    const percent = Math.round(100 * others.share)
    console.log(`Other programs took ${percent} % of the processors meanwhile: the figures say little.`)
  }
}
