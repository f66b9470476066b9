/** The three-way merge: cases of our own, what holds for any texts, and recorded answers of the real diff3. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Merge, merge3 } from '../../src/diff/merge3.js'
import { randomNumbers } from '../support/random.js'
import { describeShared, readRows } from '../support/shared.js'

interface Case {
  readonly id: string
  readonly base: string
  readonly mine: string
  readonly theirs: string
  readonly result: Merge
}

const GOLDEN = join(import.meta.dirname, '../fixtures/merge/cases.json')
const golden = JSON.parse(readFileSync(GOLDEN, 'utf8')) as Case[]

const lines = (...each: string[]): string => `${each.join('\n')}\n`

describe('a merge of three texts', () => {
  test.each(golden)('gives what diff3 gives: $id', ({ mine, base, theirs, result }) => {
    expect(merge3(mine, base, theirs)).toEqual(result)
  })

  test('does not depend on blanks at the ends of the texts', () => {
    expect(merge3('a \n\n', 'a', 'a\t\r\n\v\0')).toEqual({ clean: true, text: 'a\n' })
    expect(merge3('a\u3000', 'a', 'a\f')).toEqual({ clean: false })
  })

  test('keeps blanks at the ends of other lines, and carriage returns', () => {
    expect(merge3('a \r\nb', 'a\nb', 'a\nb')).toEqual({ clean: true, text: 'a \r\nb\n' })
  })

  test('takes both of two changes with one line between, none of neighbouring ones', () => {
    expect(merge3('A\nb\nc', 'a\nb\nc', 'a\nb\nC')).toEqual({ clean: true, text: lines('A', 'b', 'C') })
    expect(merge3('A\nb\nc', 'a\nb\nc', 'a\nB\nc')).toEqual({ clean: false })
  })

  test('gives equal answers for equal texts however hard they are to compare', { tags: ['slow'] }, () => {
    const random = randomNumbers(5)
    const hard = (): string => Array.from({ length: 30_000 }, () => Math.floor(random() * 3)).join('\n')
    const [mine, base, theirs] = [hard(), hard(), hard()]
    expect(merge3(mine, base, theirs)).toEqual({ clean: false })
    expect(merge3(mine, base, base)).toEqual({ clean: true, text: `${mine}\n` })
    expect(merge3(base, base, theirs)).toEqual({ clean: true, text: `${theirs}\n` })
  })

  test('compares no further than pays where one text holds a little of what the other has much of', () => {
    const numbers = (count: number, modulo: number): string =>
      Array.from({ length: count }, (_, n) => n % modulo).join('\n')
    const base = numbers(2000, 2000)
    const mine = `start\n${base}\n${numbers(40_000, 1999)}\n${base}\nend`
    expect(merge3(mine, base, base)).toEqual({ clean: true, text: `${mine}\n` })
  })
})

describe('for random texts, a merge', () => {
  const random = randomNumbers(31)
  const below = (limit: number): number => Math.floor(random() * limit)
  const letter = (): string => 'abcde'.charAt(below(5))
  const edited = (old: readonly string[]): string[] =>
    old.flatMap((line) => (random() < 0.1 ? [] : random() < 0.1 ? [line, letter()] : [line]))
  const ended = (text: readonly string[]): string => `${text.join('\n').trimEnd()}\n`
  const rounds = Array.from({ length: 500 }, () => {
    const base = Array.from({ length: below(40) }, letter)
    return { base: ended(base), mine: ended(edited(base)), theirs: ended(edited(base)) }
  })

  test('with one side unchanged is the other side', () => {
    for (const { base, mine, theirs } of rounds) {
      expect(merge3(base, base, theirs)).toEqual({ clean: true, text: theirs })
      expect(merge3(mine, base, base)).toEqual({ clean: true, text: mine })
    }
  })

  test('of equal changes is that change', () => {
    for (const { base, mine } of rounds) expect(merge3(mine, base, mine)).toEqual({ clean: true, text: mine })
  })

  test('is the same whoever came first', () => {
    for (const { base, mine, theirs } of rounds) {
      expect(merge3(mine, base, theirs)).toEqual(merge3(theirs, base, mine))
    }
    expect(rounds.some(({ base, mine, theirs }) => merge3(mine, base, theirs).clean)).toBe(true)
  })

  test('that is clean holds every line that both kept, and no line that neither has', () => {
    for (let round = 0; round < 300; round++) {
      const base = Array.from({ length: 2 + below(60) }, (_, n) => `line ${n}`)
      const changed = (by: string): string[] =>
        base.flatMap((line, n) => {
          const chance = random()
          return chance < 0.05
            ? []
            : chance < 0.1
              ? [`${by} ${n}`]
              : chance < 0.13
                ? [line, `${by} ${n}`]
                : [line]
        })
      const [mine, theirs] = [changed('mine'), changed('theirs')]
      const merged = merge3(mine.join('\n'), base.join('\n'), theirs.join('\n'))
      if (!merged.clean) continue
      const kept = base.filter((line) => mine.includes(line) && theirs.includes(line))
      const made = [...mine, ...theirs].filter((line) => !line.startsWith('line '))
      expect(merged.text.trimEnd().split('\n').toSorted()).toEqual([...kept, ...made].toSorted())
    }
  })
})

/** Made by fixtures/merge/recordRandom.mjs. Each character stands for a line. */
const recorded = readFileSync(join(import.meta.dirname, '../fixtures/merge/random.jsonl'), 'utf8')
  .split('\n')
  .filter((row) => row !== '')
  .map((row) => JSON.parse(row) as [mine: string, base: string, theirs: string, merged: string | null])

test('random merges full of ties are what diff3 was recorded to give', () => {
  expect(recorded.length).toBeGreaterThan(1000)
  const text = (letters: string): string => `${[...letters].join('\n')}\n`
  for (const [mine, base, theirs, merged] of recorded) {
    expect(merge3(text(mine), text(base), text(theirs)), `${mine} ${base} ${theirs}`).toEqual(
      merged === null ? { clean: false } : { clean: true, text: text(merged) },
    )
  }
})

describeShared('recorded merges', 'oracle/merge', (folder) => {
  const cases = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl.gz'))
    .flatMap((name) => readRows<Case>(join(folder, name)))

  test('are given with verdict and text', () => {
    expect(cases.length).toBeGreaterThan(1000)
    for (const { id, mine, base, theirs, result } of cases) {
      expect(merge3(mine, base, theirs), id).toEqual(result)
    }
  })

  test('lose no line that stands once in the base and that both sides kept', () => {
    for (const { id, mine, base, theirs } of cases) {
      const merged = merge3(mine, base, theirs)
      if (!merged.clean) continue
      const [mineLines, theirLines, made] = [mine, theirs, merged.text].map(
        (text) => new Set(text.split('\n')),
      )
      const times = new Map<string, number>()
      for (const line of base.trimEnd().split('\n')) times.set(line, (times.get(line) ?? 0) + 1)
      const kept = [...times].filter(
        ([line, count]) => count === 1 && mineLines!.has(line) && theirLines!.has(line),
      )
      for (const [line] of kept) expect(made!.has(line), `${id}: ${line}`).toBe(true)
    }
  })
})
