import { describe, expect, test } from 'vitest'
import { ChangeNotes, SearchChange } from '../../../src/index/rows/searchChange.js'

/** The change after a round through its row. */
function changeOf(note: (notes: ChangeNotes) => void): SearchChange | undefined {
  const notes = new ChangeNotes()
  note(notes)
  const row = notes.encode(7)
  return row && new SearchChange(row)
}

describe('a change', () => {
  test('has its pages and words, and no others', () => {
    const change = changeOf((notes) => {
      notes.addTerms(['natural', '東京'])
      notes.addText('The Moon')
      for (const page of [4_000_000_000, 3, 90]) notes.addPage(page)
    })!
    expect([change.generation, change.titlesChange]).toEqual([7, false])
    expect([3, 90, 4_000_000_000].every((page) => change.hasPage(page))).toBe(true)
    expect([0, 4, 91].some((page) => change.hasPage(page))).toBe(false)
    expect(['natural', '東京', 'the', 'moon'].every((term) => change.hasTerm(term))).toBe(true)
    expect(['natura', 'naturally', '東', 'Moon', 'sun'].some((term) => change.hasTerm(term))).toBe(false)
  })

  test('knows the beginnings of its words', () => {
    const change = changeOf((notes) => notes.addTerms(['satellite', 'sun']))!
    const beginnings = ['s', 'sa', 'sat', 'sate', 'satel', 'satelli', 'satellite', 'su', 'sun']
    expect(beginnings.filter((text) => !change.hasBeginning(text))).toEqual([])
    expect(['m', 'moon', 'sax', 'sunny'].filter((text) => change.hasBeginning(text))).toEqual([])
  })

  test('without words concerns no beginning', () => {
    expect(changeOf((notes) => notes.addPage(1))!.hasBeginning('')).toBe(false)
  })

  test('has no row when there is too much to note', () => {
    const words = Array.from({ length: 3001 }, (_, n) => `w${n}`)
    expect(changeOf((notes) => notes.addTerms(words))).toBeUndefined()
    expect(changeOf((notes) => words.forEach((_, n) => notes.addPage(n)))).toBeUndefined()
    expect(changeOf((notes) => notes.everything())).toBeUndefined()
  })
})
