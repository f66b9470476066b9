/** The default breaker of Thai runs: ICU's dictionary through `Intl.Segmenter`. */
import type { ThaiBreaker } from './thaiBreaks.js'

/**
 * A single instance, since its creation takes as long as a small comparison. Made for the first Thai text, since the
 * first use of ICU takes 10 ms.
 */
let segmenter: Intl.Segmenter | undefined
/** Longer runs are cut into pieces, since ICU takes quadratic time. Runs of ordinary text are shorter. */
const MAX_PIECE = 1000
/** ICU looks some words ahead, so the end of a piece can affect this many of its last words. */
const WORDS_AHEAD = 4

/** A breaker that remembers the runs it has cut. Make one for each comparison, since most runs are on both sides. */
export function segmenterBreaker(): ThaiBreaker {
  const known = new Map<string, readonly number[]>()
  return (run) => {
    let places = known.get(run)
    if (places === undefined) known.set(run, (places = wordStarts(run)))
    return places
  }
}

function wordStarts(run: string): number[] {
  const starts: number[] = []
  for (let pieceStart = 0; pieceStart < run.length;) {
    const pieceEnd = Math.min(pieceStart + MAX_PIECE, run.length)
    const words = cutWords(run.slice(pieceStart, pieceEnd))
    const certain = pieceEnd === run.length ? words.length : Math.max(1, words.length - WORDS_AHEAD)
    for (const length of words.slice(0, certain)) {
      if (pieceStart > 0) starts.push(pieceStart)
      pieceStart += length
    }
  }
  return starts
}

/** The lengths of the words. Calls of `containing` take half as long as iterating over the segments. */
function cutWords(piece: string): number[] {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
  const segments = segmenter.segment(piece)
  const lengths: number[] = []
  for (let at = 0; at < piece.length; at += lengths.at(-1)!)
    lengths.push(segments.containing(at)!.segment.length)
  return lengths
}
