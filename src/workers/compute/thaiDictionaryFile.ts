/** Finds and reads libthai's dictionary, for comparisons of Thai texts. */
import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import type { ThaiBreaker } from '../../diff/thaiBreaks.js'
import { ThaiDictionary } from '../../diff/thaiDictionary.js'
import { segmenterBreaker } from '../../diff/thaiSegmenter.js'
import { dictionaryBreaker } from '../../diff/thaiWords.js'
import { describeSystemError, isSystemError } from '../../runtime/systemErrors.js'
import { UserError } from '../../runtime/userError.js'

/** Where Debian's package libthai-data puts it. */
const USUAL_PLACE = '/usr/share/libthai/thbrk.tri'
/** 28 times the size of libthai's. */
const MAX_BYTES = 16 * 2 ** 20

export interface ReadDictionary {
  /** A sound dictionary, in memory that threads share. Undefined: ICU cuts the words. */
  readonly bytes: Uint8Array | undefined
  /** Why the file is of no use. */
  readonly fault: string | undefined
}

/** Reads the file that a setting names: `auto` means the usual place, if there is a file, and `none` no file. */
export function readThaiDictionary(setting: string): ReadDictionary {
  const path = setting === 'auto' ? USUAL_PLACE : setting
  if (setting === 'none' || (setting === 'auto' && !existsSync(path)))
    return { bytes: undefined, fault: undefined }
  try {
    const bytes = readWhole(path)
    void new ThaiDictionary(bytes)
    return { bytes, fault: undefined }
  } catch (error) {
    if (error instanceof UserError) return { bytes: undefined, fault: `${path} ${error.message}` }
    if (isSystemError(error)) return { bytes: undefined, fault: describeSystemError(error, path) }
    throw error
  }
}

/** Makes the breaker of one comparison. Opens the dictionary at the first run of Thai characters. */
export function thaiBreakers(dictionaryBytes: () => Uint8Array | undefined): () => ThaiBreaker {
  let dictionary: ThaiDictionary | 'none' | undefined
  const open = (): ThaiDictionary | 'none' => {
    const bytes = dictionaryBytes()
    return bytes === undefined ? 'none' : new ThaiDictionary(bytes)
  }
  return () => {
    let breaker: ThaiBreaker | undefined
    return (run) => {
      dictionary ??= open()
      breaker ??= dictionary === 'none' ? segmenterBreaker() : dictionaryBreaker(dictionary)
      return breaker(run)
    }
  }
}

function readWhole(path: string): Uint8Array {
  // A pipe would wait for its writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw new UserError('is no file')
    if (stats.size > MAX_BYTES) throw new UserError(`has more than ${MAX_BYTES / 2 ** 20} MiB`)
    const bytes = new Uint8Array(new SharedArrayBuffer(stats.size))
    let at = 0
    while (at < bytes.length) {
      const read = readSync(file, bytes, at, bytes.length - at, at)
      if (read === 0) throw new UserError('became shorter while it was read')
      at += read
    }
    return bytes
  } finally {
    closeSync(file)
  }
}
