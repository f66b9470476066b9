/** What an import of dumps is told. */
import type { Display } from './display.js'
import type { ImportResult } from './summary.js'

export interface ImportOptions {
  readonly dataDir: string
  /** Files, or `-` for standard input, in the order to read them. */
  readonly paths: readonly string[]
  /** Shows progress and warnings; nothing does unless given. */
  readonly display?: Display
  /** File that gets a line of JSON for each thing that is left out or otherwise than in its dump. */
  readonly reportPath?: string | undefined
  /** Bytes of text, comments and names in one transaction; the setting's default unless given. */
  readonly batchBytes?: number
  /** Larger files are left out; the setting's default unless given. */
  readonly maxFileBytes?: number
  /** See the setting of this name; its default unless given. */
  readonly indexThreads?: number
  /** Gets the result of each dump that was read to its end, also when a later dump fails. */
  readonly onResult?: (result: ImportResult) => void
  /** Told how indexing ended. */
  readonly onIndexed?: (lines: readonly string[]) => void
  /** Ends the import between two pages. */
  readonly signal?: AbortSignal
}
