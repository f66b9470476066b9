/** Estimates the progress of a whole import, reading and indexing together, and the time left. Both overlap. */

/**
 * Relative cost: bytes of XML read in the time in which one byte of text is indexed. Measured; similar on all machines.
 */
const INDEXING_COST = 1.5

export interface Reading {
  /** Bytes read, as a share of all dumps, 0 to 1; undefined when a size is unknown. */
  readonly share: number | undefined
  readonly xmlBytes: number
  /** Bytes of text to index, read so far. */
  readonly textBytes: number
  /** Share of them that is indexed already, 0 to 1. */
  readonly indexedShare: number
}

export interface Whole {
  /** 0 to 1. Never decreases, and reaches 1 only at the end. Undefined when unknown. */
  readonly share: number | undefined
  readonly leftMs: number | undefined
}

const UNKNOWN: Whole = { share: undefined, leftMs: undefined }

export class Estimate {
  readonly #now: () => number
  readonly #start: number
  #share = 0
  /** The share and the time when indexing began. */
  #indexing: { readonly share: number; readonly time: number } | undefined

  /** `now` is a clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now
    this.#start = now()
  }

  reading({ share, xmlBytes, textBytes, indexedShare }: Reading): Whole {
    if (!share) return UNKNOWN
    const elapsedMs = this.#now() - this.#start
    const indexingPerReading = xmlBytes === 0 ? 0 : (INDEXING_COST * textBytes) / xmlBytes
    const whole = (share * (1 + indexingPerReading * indexedShare)) / (1 + indexingPerReading)
    this.#share = Math.max(this.#share, whole)
    return { share: this.#share, leftMs: elapsedMs / whole - elapsedMs }
  }

  /** `share` is the finished part of indexing, 0 to 1. */
  indexing(share: number): Whole {
    this.#indexing ??= { share: this.#share, time: this.#now() }
    const begun = this.#indexing
    const elapsedMs = this.#now() - begun.time
    this.#share = Math.max(this.#share, begun.share + (1 - begun.share) * share)
    return { share: this.#share, leftMs: share === 0 ? undefined : elapsedMs / share - elapsedMs }
  }
}
