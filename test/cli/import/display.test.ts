import { WriteStream } from 'node:tty'
import { describe, expect, test } from 'vitest'
import { type Display, openDisplay } from '../../../src/cli/import/display.js'
import type { ImportState } from '../../../src/cli/import/progress.js'
import { Screen } from '../../support/screen.js'

const state = (share: number): ImportState => ({
  phase: 'reading',
  name: 'dump.xml',
  phaseShare: share,
  share: share / 2,
  leftMs: 90_000,
  speed: '31.2 MB/s',
  pages: 1000,
  revisions: 2000,
})

/** A terminal of so many columns, or none, that keeps what is written. */
function outputOf(columns: number | undefined) {
  const written: string[] = []
  const stream = Object.create(WriteStream.prototype) as WriteStream
  const write = (text: string): boolean => written.push(text) > 0
  Object.assign(stream, { write, isTTY: columns !== undefined, columns })
  return { stream, written }
}

function shown(columns: number, act: (display: Display, tick: () => void) => void) {
  const { stream, written } = outputOf(columns)
  let now = 0
  const display = openDisplay(stream, { quiet: false, now: () => now })
  act(display, () => (now += 1000))
  const screen = new Screen(columns)
  screen.write(written.join(''))
  return { screen, written }
}

const WARNINGS = Array.from(
  { length: 30 },
  (_, n) => `dump.xml: line ${n}, page "A rather long title": ${'x'.repeat(1 + n * 7)}`,
)

describe.each([40, 80, 110, 200])('on a terminal of %i columns', (columns) => {
  test('no warning is overwritten, and the bar is below them', () => {
    const { screen } = shown(columns, (display, tick) => {
      for (const [n, warning] of WARNINGS.entries()) {
        display.print(warning)
        tick()
        display.show(() => state(n / 30))
      }
    })
    const lines = screen.text.trimEnd().split('\n')
    expect(lines.slice(0, -1)).toEqual(WARNINGS)
    expect(lines.at(-1)).toMatch(/^ 48 % █+░+ 31\.2 MB\/s 1 min 30 s left/)
  })

  test('the bar goes at the end, and what is printed after it stands below the warnings', () => {
    const { screen, written } = shown(columns, (display) => {
      display.show(() => state(0.5))
      for (const warning of WARNINGS) display.print(warning)
      display.stop()
      display.print('the end')
    })
    expect(screen.text.trimEnd().split('\n')).toEqual([...WARNINGS, 'the end'])
    // The cursor is hidden while there is a bar, and shown again.
    expect(written.filter((text) => text.startsWith('\x1b[?25'))).toEqual(['\x1b[?25l', '\x1b[?25h'])
  })

  test('a bar is drawn over the one before, in one line that leaves a column free', () => {
    const { screen } = shown(columns, (display, tick) => {
      for (let n = 0; n <= 100; n++) {
        display.show(() => state(n / 100))
        tick()
      }
    })
    const lines = screen.lines.filter((line) => line !== '')
    expect(lines).toHaveLength(1)
    expect(lines[0]!.length).toBeLessThan(columns)
  })
})

test('a bar is not drawn more often than the eye sees, and asks for no state in between', () => {
  let asked = 0
  shown(80, (display) => {
    for (let n = 0; n < 1000; n++) display.show(() => (asked++, state(0.5)))
    display.stop()
  })
  expect(asked).toBe(1)
})

describe('without a terminal', () => {
  test('there is a whole line every ten seconds, and warnings in between', () => {
    const { stream, written } = outputOf(undefined)
    let now = 0
    const display = openDisplay(stream, { quiet: false, now: () => now })
    for (; now <= 25_000; now += 1000) display.show(() => state(0.5))
    display.print('a warning')
    display.stop()
    const line =
      'dump.xml: reading 50 %, 25 % of all, 1,000 pages, 2,000 revisions, 31.2 MB/s, 1 min 30 s left\n'
    expect(written).toEqual([line, line, 'a warning\n'])
  })

  test('nothing is said when it is to be quiet', () => {
    const { stream, written } = outputOf(80)
    const display = openDisplay(stream, { quiet: true })
    display.show(() => state(0.5))
    display.print('a warning')
    display.stop()
    expect(written).toEqual([])
  })
})
