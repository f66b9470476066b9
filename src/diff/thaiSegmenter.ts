/** The usual breaker of Thai runs: ICU's dictionary, by way of `Intl.Segmenter`. */
import type { ThaiBreaker } from './thaiBreaks.js'

/** A breaker that remembers the runs it has cut: make one for each comparison, since most runs stand on both sides. */
export function segmenterBreaker(): ThaiBreaker {
  let segmenter: Intl.Segmenter | undefined
  const known = new Map<string, readonly number[]>()
  return (run) => {
    let places = known.get(run)
    if (places === undefined) {
      segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
      places = Array.from(segmenter.segment(run), ({ index }) => index).slice(1)
      known.set(run, places)
    }
    return places
  }
}
