/** Numbers of lines: the compare functions rely on equal numbers for equal lines, and for no others. */
import { expect, test } from 'vitest'
import { cutWindow, findChangedRange } from '../../src/diff/lines.js'
import { randomNumbers } from '../support/random.js'

const LINES = ['', 'moon', 'moon ', 'sea', 'sea and river', '== Names ==', '|-']

test('equal lines of both texts have equal numbers, and other lines other ones', () => {
  const random = randomNumbers(8)
  const draw = (): string => LINES[Math.floor(random() * LINES.length)]!
  for (let round = 0; round < 2000; round++) {
    const from = Array.from({ length: 1 + Math.floor(random() * 30) }, draw)
    const to = from.flatMap((line) => (random() < 0.2 ? [] : random() < 0.2 ? [draw(), line] : [line]))
    // Neither the first nor the last line is equal, so that the window holds all lines.
    const [old, present] = [`old\n${from.join('\n')}\nold`, `new\n${to.join('\n')}\nnew`]
    const window = cutWindow(old, present, findChangedRange(old, present), 0, 0)
    const linesOf = (numbers: readonly number[]): string[] => numbers.map((number) => window.texts[number]!)
    expect(linesOf(window.from)).toEqual(old.split('\n'))
    expect(linesOf(window.to)).toEqual(present.split('\n'))
    expect(new Set(window.texts).size).toBe(window.texts.length)
  }
})
