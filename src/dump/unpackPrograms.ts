/** Unpacks Zstandard and xz with the programs of these names. */
import { DumpError } from './dumpError.js'
import { startProgram } from './filterProgram.js'

interface Unpacker {
  readonly name: string
  readonly command: string
  /** Each bounds the memory that the program takes. */
  readonly args: string[]
  readonly debianPackage: string
}

const UNPACKERS = {
  zstd: {
    name: 'Zstandard',
    command: 'zstd',
    args: ['-d', '-c', '-q', '--memory=512MB'],
    debianPackage: 'zstd',
  },
  xz: { name: 'xz', command: 'xz', args: ['-d', '-c', '-q', '--memlimit=512MiB'], debianPackage: 'xz-utils' },
} as const satisfies Record<string, Unpacker>

/** All output before a fault is yielded before the DumpError. The signal ends the program. */
export async function* unpackByProgram(
  input: AsyncIterable<Buffer>,
  format: keyof typeof UNPACKERS,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  const { name, command, args, debianPackage } = UNPACKERS[format]
  const filter = await startProgram(command, [...args], signal)
  if (filter === undefined) throw new DumpError(missingProgram(name, command, debianPackage))
  const failure = yield* filter.run(input)
  if (failure !== undefined) throw new DumpError(`the ${name} data are damaged or cut off: ${failure}`)
}

export function missingProgram(format: string, command: string, debianPackage: string): string {
  return (
    `is packed with ${format}, and the program ${command} is not installed: install it ` +
    `(Debian package ${debianPackage}), or pipe the XML in with "-"`
  )
}
