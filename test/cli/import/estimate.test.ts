import { describe, expect, test } from 'vitest'
import { Estimate } from '../../../src/cli/import/importProgress.js'

describe('an estimate', () => {
  const begun = () => {
    const clock = { ms: 1000 }
    return { clock, estimate: new Estimate(() => clock.ms) }
  }

  test('leaves room for indexing when all is read', () => {
    const { clock, estimate } = begun()
    clock.ms += 10_000
    const whole = estimate.reading({ share: 1, xmlBytes: 1000, textBytes: 2000, indexedShare: 0 })
    expect(whole.share).toBeCloseTo(1 / 4)
    expect(whole.leftMs).toBeCloseTo(30_000)
  })

  test('counts what is indexed while the dump is read', () => {
    const { clock, estimate } = begun()
    clock.ms += 10_000
    const half = { share: 0.5, xmlBytes: 1000, textBytes: 2000 }
    expect(estimate.reading({ ...half, indexedShare: 0 })).toEqual({ share: 1 / 8, leftMs: 70_000 })
    expect(estimate.reading({ ...half, indexedShare: 2 / 3 }).share).toBe(3 / 8)
    expect(estimate.reading({ ...half, indexedShare: 1 })).toEqual({ share: 0.5, leftMs: 10_000 })
  })

  test('of dumps that bring nothing new has nothing to index', () => {
    const { clock, estimate } = begun()
    clock.ms += 5000
    expect(estimate.reading({ share: 0.5, xmlBytes: 1000, textBytes: 0, indexedShare: 0 })).toEqual({
      share: 0.5,
      leftMs: 5000,
    })
  })

  test('is unknown before anything is read and where there is no size', () => {
    const { estimate } = begun()
    expect(estimate.reading({ share: 0, xmlBytes: 0, textBytes: 0, indexedShare: 0 })).toEqual({})
    expect(estimate.reading({ share: undefined, xmlBytes: 9, textBytes: 9, indexedShare: 0 })).toEqual({})
  })

  test('goes on from where reading ended, by the pace of indexing, to its end', () => {
    const { clock, estimate } = begun()
    clock.ms += 10_000
    const read = estimate.reading({ share: 1, xmlBytes: 1000, textBytes: 2000, indexedShare: 0 }).share!
    const shares = [0, 0.25, 0.5, 1].map((share) => {
      clock.ms += 1000
      return estimate.indexing(share)
    })
    expect(shares[0]).toEqual({ share: read, leftMs: undefined })
    expect(shares[1]).toEqual({ share: read + (1 - read) / 4, leftMs: 3000 })
    expect(shares.at(-1)).toEqual({ share: 1, leftMs: 0 })
  })

  test('never goes back', () => {
    const { clock, estimate } = begun()
    clock.ms += 1000
    const first = estimate.reading({ share: 0.5, xmlBytes: 1000, textBytes: 0, indexedShare: 0 }).share!
    expect(estimate.reading({ share: 0.51, xmlBytes: 1020, textBytes: 1000, indexedShare: 0 }).share).toBe(
      first,
    )
    expect(estimate.indexing(0).share).toBe(first)
  })
})
