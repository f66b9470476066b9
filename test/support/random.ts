/** A repeatable sequence of numbers from 0 up to 1 (a 32-bit linear congruential generator). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 2 ** 32
  }
}
