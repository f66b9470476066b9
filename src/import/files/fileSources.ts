/** Sources of files to import: folders, archives, and single files. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, posix } from 'node:path'
import { finished } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import tar from 'tar-stream'
import { type Entry, getFileNameLowLevel, openPromise } from 'yauzl'
import { describeSystemError, isSystemError } from '../../runtime/systemErrors.js'
import { UserError } from '../../runtime/userError.js'

/** A folder or archive cannot be read; the message names it. */
export class FileSourceError extends UserError {
  override readonly name = 'FileSourceError'
}

/** A file that can be read once, before the next one is requested. */
export interface SourceFile {
  /** Its own name, without folders. */
  readonly name: string
  /** Its location, for messages. */
  readonly place: string
  /** Reason why it cannot be imported. It then has no contents. */
  readonly fault?: string
  /** Throws a FileSourceError that names the location. */
  readonly contents: AsyncIterable<Uint8Array>
}

/**
 * The files of folders (recursively), of archives (`.zip`, `.tar`, `.tar.gz`, `.tgz`), and single files. The order is
 * that of `paths`, and by name within a folder. Skips links, hidden files and files that operating systems add. Throws
 * a FileSourceError; for a damaged archive, after its complete files.
 */
export async function* readSources(paths: readonly string[]): AsyncGenerator<SourceFile, void> {
  for (const path of paths) {
    try {
      yield* readSource(path)
    } catch (error) {
      throw sourceError(path, error)
    }
  }
}

function sourceError(place: string, error: unknown): FileSourceError {
  if (error instanceof FileSourceError) return error
  const message = isSystemError(error)
    ? describeSystemError(error, place)
    : `${place}: ${(error as Error).message}`
  return new FileSourceError(message, { cause: error })
}

/** Opens the file only when the contents are read. */
async function* readContents(
  place: string,
  open: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* await open()
  } catch (error) {
    throw sourceError(place, error)
  }
}

const onDisk = (name: string, place: string): SourceFile => ({
  name,
  place,
  contents: readContents(place, () => createReadStream(place)),
})

async function* readSource(path: string): AsyncGenerator<SourceFile, void> {
  if ((await stat(path)).isDirectory()) yield* readFolder(path)
  else if (/\.zip$/i.test(path)) yield* readZip(path)
  else if (/\.(?:tar|tar\.gz|tgz)$/i.test(path)) yield* readTar(path)
  else yield onDisk(basename(path), path)
}

async function* readFolder(folder: string): AsyncGenerator<SourceFile, void> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => isWanted(name))
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const place = join(folder, entry.name)
    if (entry.isDirectory()) yield* readFolder(place)
    else if (entry.isFile()) yield onDisk(entry.name, place)
  }
}

async function* readZip(path: string): AsyncGenerator<SourceFile, void> {
  // With `decodeStrings`, one bad name would end the whole archive.
  const zip = await openPromise(path, { lazyEntries: true, decodeStrings: false })
  try {
    for await (const entry of zip.eachEntry()) {
      const name = nameInZip(entry)
      if (name.endsWith('/') || !isWanted(name)) continue
      yield packedFile(path, name, entry.isEncrypted() ? 'it is encrypted' : undefined, () =>
        zip.openReadStreamPromise(entry),
      )
    }
  } finally {
    zip.close()
  }
}

function nameInZip({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
}

async function* readTar(path: string): AsyncGenerator<SourceFile, void> {
  const entries = tar.extract()
  let fault: unknown
  entries.on('error', (error) => (fault ??= error))
  const closed = new Promise<void>((resolve) => entries.once('close', () => resolve()))
  // A fault must not overtake the files before it. It ends the entries, and is thrown after them.
  const unpacked = unpack(path, entries, closed)
    .catch((error: unknown) => (fault = error))
    .finally(() => entries.end(undefined))
  try {
    for await (const entry of entries) {
      const { name, type } = entry.header
      const isSparse = isSparseFile(entry.header)
      const isFile = type === 'file' || type === 'contiguous-file' || isSparse
      const trouble = isSparse ? 'it is stored without its holes: pack it without --sparse' : undefined
      if (isFile && isWanted(name))
        yield packedFile(path, name, trouble, () => readEntry(entry as AsyncIterable<Uint8Array>))
      entry.resume()
    }
    await unpacked
  } catch (error) {
    fault ??= error
  } finally {
    entries.destroy()
  }
  if (fault !== undefined) throw damaged(path, fault)

  async function* readEntry(entry: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    try {
      yield* entry
    } catch (error) {
      // The file's own error may come first, and is less precise.
      await closed
      throw damaged(path, fault ?? error)
    }
  }
}

/**
 * Writes the bytes of a packed or plain tar archive to `entries` as fast as they are read. Resolves early when
 * `entries` is closed. On a fault, gunzip drops its buffered output. The output is therefore taken at once, and
 * backpressure applies to the input only.
 */
async function unpack(path: string, entries: tar.Extract, closed: Promise<void>): Promise<void> {
  let isFull = false
  const give = (bytes: Buffer): void => {
    isFull = !entries.write(bytes)
  }
  const gunzip = /gz$/i.test(path) ? createGunzip().on('data', give) : undefined
  const ended = gunzip && finished(gunzip)
  // The loop below throws the same fault.
  ended?.catch(() => undefined)
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    if (gunzip === undefined) give(bytes)
    else {
      // A fault ends gunzip without a callback.
      await Promise.race([new Promise((resolve) => gunzip.write(bytes, resolve)), ended])
    }
    if (isFull) await Promise.race([once(entries, 'drain'), closed])
    if (entries.destroyed) return
  }
  gunzip?.end()
  await ended
}

function damaged(path: string, error: unknown): FileSourceError {
  if (error instanceof FileSourceError) return error
  if (isSystemError(error)) return sourceError(path, error)
  const { message } = error as Error
  return new FileSourceError(`${path}: the archive is cut short or damaged (${message})`, { cause: error })
}

/**
 * Whether `tar --sparse` has packed a file. The library then gives its parts without the holes between them, as if they
 * were the file; its format `gnu` has a type that the library does not know.
 */
const isSparseFile = ({ type, pax }: tar.Header): boolean =>
  (type as string | null) === null || Object.keys(pax ?? {}).some((name) => name.startsWith('GNU.sparse.'))

/** A file of an archive. It has a fault if its path leads out of the archive, or if there is other trouble. */
function packedFile(
  archive: string,
  path: string,
  trouble: string | undefined,
  open: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>,
): SourceFile {
  const place = `${archive}: ${path}`
  const leadsOut = /^(?:\/|[a-z]:\/)/i.test(path) || path.split('/').includes('..')
  const fault = leadsOut ? 'its path leads out of the archive' : trouble
  const file = { name: posix.basename(path), place, contents: readContents(place, open) }
  return fault === undefined ? file : { ...file, fault }
}

/** False for hidden files, files in hidden folders, and files that operating systems add. */
function isWanted(path: string): boolean {
  return path
    .split('/')
    .every((part) => !/^(?:\..+|__MACOSX|Thumbs\.db|desktop\.ini)$/i.test(part) || part === '..')
}
