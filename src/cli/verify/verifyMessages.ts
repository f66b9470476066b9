/** What `verify` and the process that it reads a store in tell each other. */
import type { VerifyPart } from '../../storage/verify/verify.js'

/** `file alone`: the pages of a file that cannot be opened as a store. */
export type CheckedPart = VerifyPart | 'originals' | 'digest' | 'file alone'

export interface VerifyRequest {
  readonly dataDir: string
  readonly parts: readonly CheckedPart[]
  /** Contents of files are read and compared too. */
  readonly hashes: boolean
}

/** A line that the process writes. */
export interface VerifyMessage {
  /** A part begins. */
  readonly part?: CheckedPart
  /** What is read next. */
  readonly reading?: string
  readonly problem?: string
  readonly pages?: number
  readonly revisions?: number
  readonly digest?: string
  /** What ended the process before its end. */
  readonly failure?: string
  /** The store cannot be opened, and is not damaged: there is nothing to check. */
  readonly refused?: string
  readonly done?: boolean
}
