/** Unpacking of bzip2 dumps: the importer's decoders beside the programs alone. See bench/README.md. */
import { basename, join } from 'node:path'
import { measureRun, type Usage } from './import/measuredRun.js'
import { findProgram } from './support/machine.js'
import { readOptions } from './support/options.js'
import { findDump } from './support/repository.js'
import { writeResult } from './support/results.js'
import { Sandbox } from './support/sandbox.js'
import { summarise } from './support/statistics.js'
import { formatNumber, formatSummary, printTable } from './support/table.js'

/** Single streams of many blocks. */
const DUMPS = ['mixed-pages-articles.xml.bz2', 'demo-wikipedia-sample.xml.bz2']
const AIM = 'Aim: several processes of bzip2 take at most 1.3 times the processor time of one.'

interface Variant {
  readonly name: string
  readonly program: string | undefined
  readonly command: (dump: string) => readonly string[]
}

const SCRIPT = join(import.meta.dirname, 'import/unpackDump.js')
const own = (decoder: string): Variant['command'] => {
  return (dump) => [process.execPath, SCRIPT, dump, decoder]
}
const VARIANTS: readonly Variant[] = [
  { name: 'bzip2 alone', program: 'bzip2', command: (dump) => ['bzip2', '-dc', dump] },
  {
    name: 'lbzip2 alone, 1 thread',
    program: 'lbzip2',
    command: (dump) => ['lbzip2', '-dc', '-n', '1', dump],
  },
  {
    name: 'lbzip2 alone, 2 threads',
    program: 'lbzip2',
    command: (dump) => ['lbzip2', '-dc', '-n', '2', dump],
  },
  { name: 'importer with lbzip2', program: 'lbzip2', command: own('lbzip2') },
  { name: 'importer with processes of bzip2', program: 'bzip2', command: own('bzip2') },
  { name: 'importer with the library', program: undefined, command: own('library') },
]

interface Sample extends Omit<Usage, 'stdout'> {
  readonly dump: string
  readonly variant: string
  readonly round: number
}

const { rounds = 3 } = readOptions()
const sandbox = new Sandbox()
try {
  const samples: Sample[] = []
  for (const name of DUMPS) {
    const dump = findDump(name)
    if (dump !== undefined) samples.push(...(await measure(dump)))
  }
  console.log(AIM)
  writeResult('unpack', { setup: { corpus: DUMPS, rounds }, samples, summary: {} })
} finally {
  await sandbox.close()
}

/** Runs all variants in turns, round after round. */
async function measure(dump: string): Promise<Sample[]> {
  const variants = VARIANTS.filter(
    ({ program }) => program === undefined || findProgram(program) !== undefined,
  )
  const samples: Sample[] = []
  let megabytes = 0
  for (let round = 1; round <= rounds; round++) {
    for (const { name, command } of variants) {
      const [program = '', ...args] = command(dump)
      const isOwn = args[0] === SCRIPT
      const usage = await measureRun(sandbox, program, args, { keepOutput: isOwn, withMemory: isOwn })
      const { stdout, ...sample } = usage
      if (isOwn) megabytes = Number(stdout) / 1e6
      samples.push({ dump: basename(dump), variant: name, round, ...sample })
    }
  }
  console.log(`\n${basename(dump)}: ${formatNumber(megabytes, 1)} MB unpacked\n`)
  const rows = variants.map(({ name }) => {
    const ofVariant = samples.filter(({ variant }) => variant === name)
    const wall = summarise(ofVariant.map(({ wallSeconds }) => wallSeconds))
    const cpu = summarise(ofVariant.map(({ userSeconds, systemSeconds }) => userSeconds + systemSeconds))
    return [name, formatSummary(wall, 2), formatSummary(cpu, 2), formatNumber(megabytes / cpu.median, 1)]
  })
  printTable(['', 'wall s', 'CPU s', 'MB/CPU s'], rows)
  return samples
}
