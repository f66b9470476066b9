/**
 * Unpacks 7z archives with the program of 7-Zip. The format has its directory at the end, so the program reads the file
 * itself and not a pipe.
 */
import { resolve } from 'node:path'
import { DumpError } from './dumpError.js'
import { type FilterProgram, startProgram } from './filterProgram.js'
import { missingProgram } from './unpackPrograms.js'

/** Names of the program, by who packaged it. */
const COMMANDS = ['7zz', '7z', '7za', '7zr'] as const
/** Directories of archives are read whole; one file takes some 500 bytes. */
const MAX_LISTING_BYTES = 2 ** 20
/** The unpacker takes as much memory as the dictionary that the archive names. */
const MAX_DICTIONARY_BYTES = 2 ** 29

export interface SevenZipArchive {
  /** The unpacked file. Throws a DumpError after all output if the archive is damaged. */
  readonly stream: AsyncIterable<Buffer>
  readonly unpackedBytes: number
}

/**
 * Opens an archive that holds one file, as those of Wikimedia do. Throws a DumpError if no program can unpack it, if it
 * is damaged or encrypted, if it holds no file or several, or if unpacking takes more than 512 MiB of memory.
 * The signal ends the program.
 */
export async function openSevenZip(path: string, signal?: AbortSignal): Promise<SevenZipArchive> {
  const files = listed(await list(path, signal))
  const [file, ...others] = files
  if (file === undefined) throw new DumpError('is a 7z archive without a file')
  if (others.length > 0) {
    throw new DumpError(
      `is a 7z archive of ${files.length} files: unpack it and import them, or pipe one in with "-"`,
    )
  }
  if (file.isEncrypted) throw new DumpError('is an encrypted 7z archive')
  if (file.dictionaryBytes > MAX_DICTIONARY_BYTES)
    throw new DumpError('is a 7z archive that takes more than 512 MiB of memory to unpack')
  return { stream: unpack(path, signal), unpackedBytes: file.sizeBytes }
}

/** The lines of `7z l -slt`. */
async function list(path: string, signal: AbortSignal | undefined): Promise<string> {
  const program = await start(signal, ['l', '-slt', '-ba', '-p', '-spd', '--', resolve(path)])
  const parts: Buffer[] = []
  let length = 0
  const output = program.run(NOTHING)
  for (;;) {
    const { done, value } = await output.next()
    if (done === true) {
      if (value !== undefined) throw damaged(value)
      return Buffer.concat(parts).toString()
    }
    length += value.length
    if (length > MAX_LISTING_BYTES) {
      await output.return(undefined)
      throw new DumpError('is a 7z archive of too many files: unpack it and import them')
    }
    parts.push(value)
  }
}

async function* unpack(path: string, signal: AbortSignal | undefined): AsyncGenerator<Buffer, void> {
  const program = await start(signal, ['x', '-so', '-bd', '-p', '-spd', '--', resolve(path)])
  const failure = yield* program.run(NOTHING)
  if (failure !== undefined) throw damaged(failure)
}

async function start(signal: AbortSignal | undefined, args: string[]): Promise<FilterProgram> {
  for (const command of COMMANDS) {
    const program = await startProgram(command, args, signal)
    if (program !== undefined) return program
  }
  throw new DumpError(missingProgram('7z', COMMANDS[0], '7zip'))
}

interface ListedFile {
  readonly sizeBytes: number
  readonly isEncrypted: boolean
  readonly dictionaryBytes: number
}

/** Files of a listing: blocks of `Name = value`, with an empty line between blocks. */
function listed(listing: string): ListedFile[] {
  return listing
    .split(/\r?\n\r?\n/)
    .map(fieldsOf)
    .filter((fields) => fields.has('Path') && fields.get('Folder') !== '+' && !isFolder(fields))
    .map((fields) => ({
      sizeBytes: Number(fields.get('Size') ?? 0),
      isEncrypted: fields.get('Encrypted') === '+',
      dictionaryBytes: dictionaryBytes(fields.get('Method') ?? ''),
    }))
}

const isFolder = (fields: ReadonlyMap<string, string>): boolean =>
  (fields.get('Attributes') ?? '').startsWith('D')

function fieldsOf(block: string): Map<string, string> {
  return new Map(
    block.split(/\r?\n/).flatMap((line) => {
      const [, name, value] = /^(\w[\w ]*) = (.*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    }),
  )
}

const UNITS: Readonly<Record<string, number>> = { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }

/** The largest memory in a method such as `LZMA2:24` (a power of two), `LZMA:192m` or `PPMD:o32:mem1g`. */
function dictionaryBytes(method: string): number {
  const sizes = [...method.matchAll(/:(?:mem)?(\d+)([bkmg]?)/g)].map(([, digits, unit]) =>
    unit ? Number(digits) * UNITS[unit]! : 2 ** Number(digits),
  )
  return Math.max(0, ...sizes)
}

const damaged = (failure: string): DumpError =>
  new DumpError(`the 7z archive is damaged or cut off: ${failure}`)

const NOTHING: AsyncIterable<Buffer> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
}
