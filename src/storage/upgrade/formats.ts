/** Formats of stores that this version does not read, and what helps. */
import { FORMAT_VERSION } from '../meta.js'

/**
 * The one that `palimpsest upgrade` converts: rows without seals, and without the mark of revisions that were saved
 * here.
 */
export const OLD_FORMAT = 2

/** What is said of a store of another format than this version's. */
export function formatFault(format: number, dataDir: string): string {
  return `the store in ${dataDir} is of format ${format}, this version reads format ${FORMAT_VERSION}: ${adviceFor(format, dataDir)}`
}

function adviceFor(format: number, dataDir: string): string {
  if (format === OLD_FORMAT) return `convert it with "palimpsest upgrade --data-dir ${dataDir}"`
  return format > FORMAT_VERSION
    ? 'a newer version of palimpsest wrote it, and only such a version can read it'
    : 'import the dump again into a new folder with "palimpsest import --data-dir NEW DUMP"'
}
