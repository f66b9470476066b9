/** Messages between `verify` and the process that reads the store. */
import type { VerifyPart } from '../../storage/verify/context.js'

/** `file alone` checks the pages of a file that cannot be opened as a store. */
export type CheckedPart = VerifyPart | 'originals' | 'digest' | 'file alone'

export interface VerifyRequest {
  readonly dataDir: string
  readonly parts: readonly CheckedPart[]
  /** Also read the contents of files, and compare their hashes. */
  readonly hashes: boolean
}

/** One line of the process's output. */
export interface VerifyMessage {
  /** The part that begins. */
  readonly part?: CheckedPart
  /** The item to be read next. */
  readonly reading?: string
  readonly problem?: string
  readonly pages?: number
  readonly revisions?: number
  readonly digest?: string
  /** The error that stopped the process early. */
  readonly failure?: string
  /** The store cannot be opened although it is not damaged, so there is nothing to check. */
  readonly refused?: string
  readonly done?: boolean
}
