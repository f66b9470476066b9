/**
 * Imports into a store that is larger than memory, against imports into a small one. Memory is bounded by a control group.
 * See bench/README.md.
 */
import { join } from 'node:path'
import { readOptions } from '../support/options.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { summarise, summariseFigures } from '../support/statistics.js'
import { formatSummary, printTable } from '../support/table.js'
import { largeStore } from './largeStore.js'
import { MemoryGroup } from './memoryGroup.js'

const GIB = 2 ** 30
const MEMORY_BYTES = GIB
const PAGES = 10_000
/** Pages that a run writes before its clock starts. */
const WARM_UP = 2000

const { rounds = 3, pages = 1_050_000 } = readOptions()

interface Sample {
  readonly small: number
  readonly large: number
}

const { dataDir, bytes } = await largeStore(pages)
const group = MemoryGroup.make(MEMORY_BYTES)
if (group !== undefined) await measure(group)

async function measure(memory: MemoryGroup): Promise<void> {
  const sandbox = new Sandbox()
  try {
    // Each run brings new pages, and the large store keeps them.
    let first = pages + 1 + (Math.floor(Date.now() / 1000) % 1_000_000) * 1000
    const write = async (folder: string): Promise<number> => {
      const program = join(import.meta.dirname, 'writer.js')
      const args = [program, folder, ...[first, WARM_UP, PAGES].map(String)]
      first += PAGES + WARM_UP
      const { status, stdout } = await sandbox.run(...memory.inside(process.execPath, args))
      if (status !== 0) throw new Error(`the pages could not be written into ${folder}`)
      return Number(stdout)
    }
    const samples: Sample[] = []
    for (let round = 1; round <= rounds; round++) {
      const small = await write(sandbox.folder('small'))
      samples.push({ small, large: await write(dataDir) })
      console.log(`round ${round} of ${rounds}`)
    }
    report(samples)
  } finally {
    await sandbox.close()
    await memory.remove()
  }
}

function report(samples: readonly Sample[]): void {
  const rates = summariseFigures(samples, { small: ({ small }) => small, large: ({ large }) => large })
  const ratio = summarise(samples.map(({ small, large }) => large / small))
  printTable(
    ['store', 'pages a second'],
    [
      ['empty at first', formatSummary(rates.small, 0)],
      [`${(bytes / GIB).toFixed(1)} GiB, memory ${MEMORY_BYTES / GIB} GiB`, formatSummary(rates.large, 0)],
      ['large to small', formatSummary(ratio, 2)],
    ],
  )
  console.log('Aim: at least 0.5.')
  writeResult('large-writes', {
    setup: { rounds, pages, bytes, PAGES, MEMORY_BYTES },
    samples,
    summary: { rates, ratio },
  })
}
