/** Where files to import come from: folders, archives, and single files. */
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import tar from 'tar-stream'
import { openPromise } from 'yauzl'

/** A folder or archive cannot be read; the message names it. */
export class FileSourceError extends Error {
  override readonly name = 'FileSourceError'
}

/** A file that can be read once, before the next one is asked for. */
export interface SourceFile {
  /** Its own name, without folders. */
  readonly name: string
  /** Where it was found, for messages. */
  readonly place: string
  readonly contents: AsyncIterable<Uint8Array>
}

/**
 * The files of folders (with all that is in them), of archives (`.zip`, `.tar`, `.tar.gz`, `.tgz`), and single files, in
 * the order given, inside a folder by name. Links, hidden files and what systems add of their own are left out. Throws
 * a FileSourceError.
 */
export async function* readSources(paths: readonly string[]): AsyncGenerator<SourceFile, void> {
  for (const path of paths) {
    try {
      yield* readSource(path)
    } catch (error) {
      if (error instanceof FileSourceError) throw error
      const code = (error as NodeJS.ErrnoException).code
      const reason = code === 'ENOENT' ? 'there is no such file or folder' : (error as Error).message
      throw new FileSourceError(`${path}: ${reason}`, { cause: error })
    }
  }
}

async function* readSource(path: string): AsyncGenerator<SourceFile, void> {
  if ((await stat(path)).isDirectory()) yield* readFolder(path)
  else if (/\.zip$/i.test(path)) yield* readZip(path)
  else if (/\.(?:tar|tar\.gz|tgz)$/i.test(path)) yield* readTar(path)
  else yield { name: basename(path), place: path, contents: createReadStream(path) }
}

async function* readFolder(folder: string): AsyncGenerator<SourceFile, void> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => isWanted(name))
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const place = join(folder, entry.name)
    if (entry.isDirectory()) yield* readFolder(place)
    else if (entry.isFile()) yield { name: entry.name, place, contents: createReadStream(place) }
  }
}

async function* readZip(path: string): AsyncGenerator<SourceFile, void> {
  const zip = await openPromise(path, { lazyEntries: true })
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/') || !isWanted(entry.fileName)) continue
      const place = `${path}: ${entry.fileName}`
      if (entry.isEncrypted()) throw new FileSourceError(`${place}: it is encrypted`)
      yield { name: posix.basename(entry.fileName), place, contents: await zip.openReadStreamPromise(entry) }
    }
  } finally {
    zip.close()
  }
}

async function* readTar(path: string): AsyncGenerator<SourceFile, void> {
  const entries = tar.extract()
  const file = createReadStream(path)
  const unpacked = /gz$/i.test(path) ? pipeline(file, createGunzip(), entries) : pipeline(file, entries)
  // A fault of the archive ends the loop below with the same error.
  unpacked.catch(() => undefined)
  try {
    for await (const entry of entries) {
      const { name, type } = entry.header
      if (type === 'file' && isWanted(name)) {
        yield {
          name: posix.basename(name),
          place: `${path}: ${name}`,
          contents: entry as AsyncIterable<Uint8Array>,
        }
      }
      entry.resume()
    }
  } finally {
    file.destroy()
  }
}

/** Neither hidden, nor in a hidden folder, nor something that a system keeps beside files. */
function isWanted(path: string): boolean {
  return path
    .split('/')
    .every((part) => !/^(?:\..+|__MACOSX|Thumbs\.db|desktop\.ini)$/i.test(part) || part === '..')
}
