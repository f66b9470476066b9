import { describe, expect, test } from 'vitest'
import { applyDelta, encodeDelta } from '../../src/diff/lineDelta.js'
import { randomNumbers } from '../support/random.js'

const roundTrip = (base: string, target: string) => {
  const baseBytes = Buffer.from(base)
  const delta = encodeDelta(baseBytes, Buffer.from(target))
  const restored = applyDelta(baseBytes.toString('latin1'), delta.toString('latin1'))
  expect(Buffer.from(restored, 'latin1').toString()).toBe(target)
  return delta
}

describe('a line delta', () => {
  test.each([
    ['two empty texts', '', ''],
    ['a text from nothing', '', 'one\ntwo\n'],
    ['nothing from a text', 'one\ntwo\n', ''],
    ['equal texts', 'one\ntwo\n', 'one\ntwo\n'],
    ['a changed word', 'one\ntwo three\nfour', 'one\ntwo 3\nfour'],
    ['a line put in', 'one\nthree\n', 'one\ntwo\nthree\n'],
    ['a line taken out', 'one\ntwo\nthree\n', 'one\nthree\n'],
    ['a newline added at the end', 'one', 'one\n'],
    ['a newline removed at the end', 'one\n', 'one'],
    ['lines moved', 'a\nb\nc\nd\n', 'c\nd\na\nb\n'],
    ['repeated lines', 'a\na\na\n', 'a\na\n'],
    ['letters of several bytes that share bytes', 'é\nü\n', 'è\nû\n'],
    ['a window that ends in one text inside a line', 'x\ny\n', 'x\nz\ny'],
    ['only newlines', '\n\n\n', '\n\n'],
    ['other texts wholly', 'abc\ndef', 'ghi\njkl\n'],
  ])('restores %s', (_case, base, target) => {
    roundTrip(base, target)
    roundTrip(target, base)
  })

  test('restores random edits of random texts', () => {
    const random = randomNumbers(7)
    for (let round = 0; round < 500; round++) {
      const lines = Array.from({ length: Math.floor(random() * 40) }, () => randomLine(random))
      const edited = lines.flatMap((line) => {
        const dice = random()
        if (dice < 0.1) return []
        if (dice < 0.2) return [line, randomLine(random)]
        if (dice < 0.3) return [line.slice(0, Math.floor(random() * line.length)) + 'é' + line.slice(2)]
        return [line]
      })
      roundTrip(lines.join('\n'), edited.join('\n'))
    }
  })

  test('costs a changed word its own bytes, not its line', () => {
    const paragraph = 'word '.repeat(400)
    const delta = roundTrip(`intro\n${paragraph}end\nlast`, `intro\n${paragraph}END\nlast`)
    expect(delta.length).toBeLessThan(24)
  })

  test('keeps distant changes apart', () => {
    const lines = Array.from({ length: 300 }, (_, n) => `line ${n}`)
    const changed = lines.map((line, n) => (n === 3 || n === 290 ? `${line} changed` : line))
    expect(roundTrip(lines.join('\n'), changed.join('\n')).length).toBeLessThan(64)
  })

  test('gives up matching lines of huge windows and still restores them', () => {
    const base = Array.from({ length: 3000 }, (_, n) => `a${n}`).join('\n')
    const target = Array.from({ length: 3000 }, (_, n) => `b${n}`).join('\n')
    roundTrip(base, target)
  })

  test.each([
    ['that reaches past its base', encodeDelta(Buffer.from('a long base text'), Buffer.from('a long base'))],
    ['that is cut off', Buffer.from([0x80])],
    ['whose inserted bytes are missing', Buffer.from([0, 0, 9, 65])],
  ])('refuses a delta %s', (_case, delta) => {
    expect(() => applyDelta('a', delta.toString('latin1'))).toThrow(RangeError)
  })
})

function randomLine(random: () => number): string {
  const words = ['a', 'é', 'moon', 'sea', '', 'ж', '日本', 'x y']
  return Array.from(
    { length: Math.floor(random() * 6) },
    () => words[Math.floor(random() * words.length)],
  ).join(' ')
}
