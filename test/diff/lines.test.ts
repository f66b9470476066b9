/** Numbers of lines: the compare functions rely on equal numbers for equal lines, and for no others. */
import { expect, test } from 'vitest'
import { lineAt, lineOfNumber, numberCount } from '../../src/diff/lineNumbers.js'
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
    const linesOf = (numbers: readonly number[]): string[] =>
      numbers.map((number) => lineOfNumber(window, number))
    expect(linesOf(window.fromNumbers)).toEqual(old.split('\n'))
    expect(linesOf(window.toNumbers)).toEqual(present.split('\n'))
    expect(window.toNumbers.map((_, line) => lineAt(window.to, line))).toEqual(present.split('\n'))
    const numbers = new Set([...window.fromNumbers, ...window.toNumbers])
    expect(new Set(linesOf([...numbers])).size).toBe(numbers.size)
    expect(Math.max(...numbers)).toBeLessThan(numberCount(window))
  }
})

test('lines that differ only in units that a quick hash does not look at have other numbers', () => {
  const lineOf = (n: number): string => `${'='.repeat(20)}${String(n).padStart(5, '=')}${'='.repeat(75)}`
  const lines = Array.from({ length: 300 }, (_, n) => lineOf(n % 250))
  const old = ['old', ...lines, 'old'].join('\n')
  const present = ['new', ...lines.toReversed(), lineOf(777), 'new'].join('\n')
  const window = cutWindow(old, present, findChangedRange(old, present), 0, 0)
  const numbered = (numbers: readonly number[]): string =>
    numbers.map((number) => lineOfNumber(window, number)).join('\n')
  expect(numbered(window.fromNumbers)).toBe(old)
  expect(numbered(window.toNumbers)).toBe(present)
  expect(new Set(window.fromNumbers).size).toBe(251)
  expect(new Set(window.toNumbers).size).toBe(252)
})
