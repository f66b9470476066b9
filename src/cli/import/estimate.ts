/** Estimates how far an import is as a whole, reading and indexing together, and how long it will still take. */

/**
 * Bytes of XML that are read in the time that indexing takes for one byte of text: measured, and about the same on all
 * machines.
 */
const INDEXING_COST = 4

export interface Reading {
  /** Part of the bytes of all dumps that were read, 0 to 1; undefined when their sizes are unknown. */
  readonly share: number | undefined
  readonly xmlBytes: number
  /** Bytes of the texts that will be indexed, so far. */
  readonly textBytes: number
}

export interface Whole {
  /** 0 to 1, never less than before, and 1 only at the end; undefined when unknown. */
  readonly share: number | undefined
  readonly leftMs: number | undefined
}

const UNKNOWN: Whole = { share: undefined, leftMs: undefined }

export class Estimate {
  readonly #now: () => number
  readonly #start: number
  #share = 0
  /** The share and the time at which indexing began. */
  #indexing: { readonly share: number; readonly time: number } | undefined

  /** `now` is a clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now
    this.#start = now()
  }

  reading({ share, xmlBytes, textBytes }: Reading): Whole {
    if (!share) return UNKNOWN
    const elapsedMs = this.#now() - this.#start
    const indexingPerReading = xmlBytes === 0 ? 0 : (INDEXING_COST * textBytes) / xmlBytes
    const whole = share / (1 + indexingPerReading)
    this.#share = Math.max(this.#share, whole)
    return { share: this.#share, leftMs: elapsedMs / whole - elapsedMs }
  }

  /** `share`: part of the indexing that is done, 0 to 1. */
  indexing(share: number): Whole {
    this.#indexing ??= { share: this.#share, time: this.#now() }
    const begun = this.#indexing
    const elapsedMs = this.#now() - begun.time
    this.#share = Math.max(this.#share, begun.share + (1 - begun.share) * share)
    return { share: this.#share, leftMs: share === 0 ? undefined : elapsedMs / share - elapsedMs }
  }
}
