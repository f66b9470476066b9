/** Packs a dump while it is written: by Node for `.gz`, by the usual programs for `.bz2`, `.zst` and `.xz`. */
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import { startProgram } from '../dump/filterProgram.js'
import { UserError } from '../runtime/userError.js'

interface Packer {
  /** The first that is installed packs. */
  readonly commands: readonly (readonly [command: string, ...args: string[]])[]
  readonly debianPackages: string
}

const PACKERS: Readonly<Record<string, Packer>> = {
  '.bz2': {
    commands: [
      ['lbzip2', '-c'],
      ['bzip2', '-c'],
    ],
    debianPackages: 'lbzip2 or bzip2',
  },
  '.zst': { commands: [['zstd', '-c', '-q', '-T0']], debianPackages: 'zstd' },
  '.xz': { commands: [['xz', '-c', '-q']], debianPackages: 'xz-utils' },
}
const MEMBER_ENDS = Object.keys(PACKERS)

/** The packed bytes of `input` for a file of this name: the bytes themselves if its ending names no packing. */
export async function pack(
  name: string,
  input: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<AsyncIterable<Buffer>> {
  if (name.endsWith('.gz')) return gzip(input)
  const ending = MEMBER_ENDS.find((end) => name.endsWith(end))
  if (ending === undefined) return input
  const { commands, debianPackages } = PACKERS[ending]!
  for (const [command, ...args] of commands) {
    const program = await startProgram(command, args, signal)
    if (program !== undefined) return packed(program.run(input), command)
  }
  const names = commands.map(([command]) => command).join(' nor ')
  throw new UserError(
    `${names} is not installed, which packs ${ending}: install it (Debian package ${debianPackages}), or name a file that ends in .xml or .gz`,
  )
}

function gzip(input: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const stream = createGzip()
  // The reader of `stream` gets the error, too.
  pipeline(input, stream, () => undefined)
  return stream
}

async function* packed(
  output: AsyncGenerator<Buffer, string | undefined>,
  command: string,
): AsyncGenerator<Buffer, void> {
  const failure = yield* output
  if (failure !== undefined) throw new UserError(`${command} failed: ${failure}`)
}
