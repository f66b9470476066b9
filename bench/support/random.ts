/** Repeatable random numbers: every run and every machine measures the same titles and texts. */

/** A sequence of numbers from 0 up to 1 (a 32-bit linear congruential generator). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 2 ** 32
  }
}

/** At most `count` different members of `list`, in random order. */
export function drawSome<Member>(list: readonly Member[], count: number, random: () => number): Member[] {
  const rest = [...list]
  const drawn: Member[] = []
  while (drawn.length < count && rest.length > 0) {
    const at = Math.floor(random() * rest.length)
    drawn.push(rest[at]!)
    rest[at] = rest.at(-1)!
    rest.pop()
  }
  return drawn
}
