/** Formats of stores that this version does not read, with advice. */
import { FORMAT_VERSION } from '../meta.js'

/** The format that `palimpsest upgrade` converts. Its rows have no seals, and no mark for revisions saved here. */
export const OLD_FORMAT = 2

/** The error message for a store of another format. */
export function formatFault(format: number, dataDir: string): string {
  return `the store in ${dataDir} is of format ${format}, this version reads format ${FORMAT_VERSION}: ${adviceFor(format, dataDir)}`
}

function adviceFor(format: number, dataDir: string): string {
  if (format === OLD_FORMAT) return `convert it with "palimpsest upgrade --data-dir ${dataDir}"`
  return format > FORMAT_VERSION
    ? 'a newer version of palimpsest wrote it, and only such a version can read it'
    : 'import the dump again into a new folder with "palimpsest import --data-dir NEW DUMP"'
}
