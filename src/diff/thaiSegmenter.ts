/** The usual breaker of Thai runs: ICU's dictionary, by way of `Intl.Segmenter`. */
import type { ThaiBreaker } from './thaiBreaks.js'

/** Made once: that takes as long as a small comparison. */
const SEGMENTER = new Intl.Segmenter('th', { granularity: 'word' })

/** A breaker that remembers the runs it has cut: make one for each comparison, since most runs stand on both sides. */
export function segmenterBreaker(): ThaiBreaker {
  const known = new Map<string, readonly number[]>()
  return (run) => {
    let places = known.get(run)
    if (places === undefined) known.set(run, (places = wordStarts(run)))
    return places
  }
}

/** Asking for one word after the other takes half as long as iterating over them. */
function wordStarts(run: string): number[] {
  const segments = SEGMENTER.segment(run)
  const starts: number[] = []
  for (let at = segments.containing(0)!.segment.length; at < run.length;) {
    starts.push(at)
    at += segments.containing(at)!.segment.length
  }
  return starts
}
