/** Benches that ran beside other work are marked; those that had the machine to themselves are not. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { isBusy, readProcessorTimes, shareOfOthers } from '../../bench/support/otherWork.js'

const BEFORE = { total: 10_000, busy: 4000, own: 1000 }

test.each([
  ['all of the work was its own', { total: 12_000, busy: 5000, own: 2000 }, 0],
  ['others did half of the work', { total: 12_000, busy: 5000, own: 1500 }, 0.25],
  ['the machine was idle', { total: 12_000, busy: 4000, own: 1000 }, 0],
  ['ticks were rounded against it', { total: 12_000, busy: 4990, own: 2000 }, 0],
])('when %s', (_case, after, share) => {
  expect(shareOfOthers(BEFORE, after)).toBe(share)
  expect(isBusy(share)).toBe(share > 0.05)
})

test.skipIf(process.platform !== 'linux')(
  'work of processes that ended counts as its own',
  { tags: ['slow'] },
  async () => {
    const before = readProcessorTimes()!
    const spin = 'while (process.cpuUsage().user < 300_000);'
    await once(spawn(process.execPath, ['-e', spin]), 'close')
    // 0.3 s are 30 ticks of a hundredth of a second.
    expect(readProcessorTimes()!.own - before.own).toBeGreaterThanOrEqual(29)
  },
)
