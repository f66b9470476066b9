/** Formats of stores that this version does not read, with advice. */
import { FORMAT_VERSION } from '../meta.js'

/**
 * The formats that `palimpsest upgrade` converts. Rows of format 2 have no seals, and no mark for revisions saved here.
 * In format 3 the log has another chain, and nothing else differs.
 */
export const UNSEALED_FORMAT = 2
export const OLD_CHAIN_FORMAT = 3

export type OldFormat = typeof UNSEALED_FORMAT | typeof OLD_CHAIN_FORMAT

export const isOldFormat = (format: number): format is OldFormat =>
  format === UNSEALED_FORMAT || format === OLD_CHAIN_FORMAT

/** The error message for a store of another format. */
export function formatFault(format: number, dataDir: string): string {
  return `the store in ${dataDir} is of format ${format}, this version reads format ${FORMAT_VERSION}: ${adviceFor(format, dataDir)}`
}

function adviceFor(format: number, dataDir: string): string {
  if (isOldFormat(format)) return `convert it with "palimpsest upgrade --data-dir ${dataDir}"`
  return format > FORMAT_VERSION
    ? 'a newer version of palimpsest wrote it, and only such a version can read it'
    : 'import the dump again into a new folder with "palimpsest import --data-dir NEW DUMP"'
}
