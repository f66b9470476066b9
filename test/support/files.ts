/** Facts and entries of files for tests. */
import { createHash } from 'node:crypto'
import type { FileFacts } from '../../src/domain/file.js'
import type { FileEntry } from '../../src/storage/entries/entries.js'
import { START } from './store.js'

/** Facts of a picture of 40 × 30 pixels that another repository has, changed by `parts`. */
export function facts(parts: Partial<FileFacts> = {}): FileFacts {
  return {
    sizeBytes: 1234,
    width: 40,
    height: 30,
    durationSeconds: null,
    mediaType: 'BITMAP',
    mimeType: 'image/png',
    sha1: 'phoiac9h4m842xq45sp7s6u21eteeq1',
    uploader: { id: 1, name: 'Ann' },
    timestamp: START,
    sha256: null,
    ...parts,
  }
}

let entries = 0

/** An entry with an id of its own; null facts remove the file. */
export function fileEntry(dbkey: string, fileFacts: FileFacts | null, time = START): FileEntry {
  const id = createHash('sha256').update(`file ${++entries}`).digest('hex').slice(0, 32)
  return { kind: 'file', id, time, dbkey, facts: fileFacts }
}
