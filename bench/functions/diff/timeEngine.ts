/**
 * Times one engine of engines.ts on all pairs of a file, in its own process:
 *
 *     node timeEngine.js ENGINE FILE      FILE: a JSON array of [from, to]
 *
 * Each line of standard input is a number of calls. The program compares every pair that many times in a row. It
 * answers with a line of JSON, a Turn of `timedEngine.ts`. `wikidiff2.php` does the same.
 */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { ENGINES } from './engines.js'
import { summarise } from '../../support/statistics.js'
import type { Turn } from './timedEngine.js'

const [name = '', file = ''] = process.argv.slice(2)
const engine = ENGINES[name]
if (engine === undefined) throw new Error(`there is no engine "${name}"`)
const pairs = JSON.parse(readFileSync(file, 'utf8')) as [from: string, to: string][]

for await (const line of createInterface(process.stdin)) {
  const cpuBefore = process.cpuUsage()
  const pairMicros = pairs.map(([from, to]) => {
    const calls = Array.from({ length: Number(line) }, () => {
      const start = performance.now()
      engine(from, to)
      return (performance.now() - start) * 1000
    })
    return summarise(calls).median
  })
  const { user, system } = process.cpuUsage(cpuBefore)
  const turn: Turn = { pairMicros, cpuMicros: (user + system) / Number(line) }
  console.log(JSON.stringify(turn))
}
