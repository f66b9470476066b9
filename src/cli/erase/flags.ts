/** Flags of `palimpsest erase`. */
export interface EraseFlags {
  readonly page?: string
  readonly pageId?: number
  readonly revision?: number[]
  readonly user?: string
  readonly text?: true
  readonly comment?: true
  readonly yes?: true
}
