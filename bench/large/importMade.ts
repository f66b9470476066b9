/** Imports a made wiki from a pipe, with its search index. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PALIMPSEST } from '../support/repository.js'
import type { Sandbox } from '../support/sandbox.js'
import { RunWatch } from './timedRun.js'

/** What the import prints every ten seconds. */
const PROGRESS = /reading, ([\d,]+) pages/

/** Prints a line with each progress of the import. Throws if it fails. */
export async function importMade(
  sandbox: Sandbox,
  pages: number,
  dataDir: string,
): Promise<Record<string, number>> {
  const dump = spawn(process.execPath, [join(import.meta.dirname, 'writeDump.js'), String(pages)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const args = ['import', '--data-dir', dataDir, '-']
  const child = await sandbox.start(PALIMPSEST, args, { stdio: [dump.stdout, 'ignore', 'pipe'] })
  const watch = new RunWatch(child)
  const rates: number[] = []
  let [pagesBefore, cpuBefore] = [0, 0]
  createInterface({ input: child.stderr! }).on('line', (line) => {
    const done = Number(PROGRESS.exec(line)?.[1]?.replaceAll(',', ''))
    if (!(done > pagesBefore)) return console.log(line)
    const { seconds, cpuSeconds } = watch.sample()
    const rate = (done - pagesBefore) / Math.max(0.01, cpuSeconds - cpuBefore)
    rates.push(rate)
    console.log(`${done} pages after ${seconds.toFixed(0)} s, ${rate.toFixed(0)} for a second of processor`)
    ;[pagesBefore, cpuBefore] = [done, cpuSeconds]
  })
  const [status] = (await once(child, 'close')) as [number | null]
  if (status !== 0) throw new Error(`the import ended with ${status ?? 'a signal'}`)
  const fifth = Math.max(1, Math.floor(rates.length / 5))
  const mean = (part: readonly number[]): number => part.reduce((sum, rate) => sum + rate, 0) / part.length
  return {
    ...watch.figures(),
    'pages a processor second, first fifth': rates.length === 0 ? NaN : mean(rates.slice(0, fifth)),
    'pages a processor second, last fifth': rates.length === 0 ? NaN : mean(rates.slice(-fifth)),
  }
}
