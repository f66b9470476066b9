/** Deltas between revisions: made once when a revision is stored, and applied whenever an old one is read. */
import { applyDelta, encodeDelta } from '../../src/diff/lineDelta.js'
import { type FunctionTask, measureFunctions } from '../support/functionBench.js'
import { readOptions } from '../support/options.js'
import { randomNumbers } from '../support/random.js'
import { editLines, wikiLines } from '../support/text.js'

const CASES: readonly (readonly [sizeKilobytes: number, edits: number])[] = [
  [1, 1],
  [10, 3],
  [100, 3],
  [100, 100],
]
/** With this many calls, the smallest case takes some hundred times as long as reading the clock. */
const CALLS = 20

measureFunctions('lineDelta', CASES.flatMap(tasksOf), readOptions())

function tasksOf([sizeKilobytes, edits]: readonly [number, number]): FunctionTask[] {
  const random = randomNumbers(sizeKilobytes + edits)
  const lines = wikiLines(sizeKilobytes * 1000, random)
  const base = Buffer.from(lines.join('\n'))
  const target = Buffer.from(editLines(lines, edits, random).join('\n'))
  const delta = encodeDelta(base, target)
  const [baseText, deltaText] = [base.toString('latin1'), delta.toString('latin1')]
  /** As bytes, since V8 joins the parts of a string only when somebody reads it. */
  const apply = (): Buffer => Buffer.from(applyDelta(baseText, deltaText), 'latin1')
  if (!apply().equals(target)) throw new Error('the delta does not give the target back')
  const label = `(${sizeKilobytes} kB, ${edits} ${edits === 1 ? 'edit' : 'edits'})`
  return [
    { name: `encodeDelta${label}`, calls: CALLS, run: () => repeat(() => encodeDelta(base, target)) },
    { name: `applyDelta${label}`, calls: CALLS, run: () => repeat(apply) },
  ]
}

function repeat(call: () => Buffer): number {
  let length = 0
  for (let n = 0; n < CALLS; n++) length += call().length
  return length
}
