/** What a storage that FlexSearch's index is mounted on relies on: `src/index/write/flexIndex.ts` is one. */
import { type Encoder, Index, type StorageInterface } from 'flexsearch'
import { expect, test } from 'vitest'

/** Fields of an `Index` that its types leave out. */
interface IndexInside {
  readonly map: Map<string, number[][]>
  readonly reg: Set<number>
  readonly commit_task: unknown[]
}

const OPTIONS = { tokenize: 'strict', resolution: 16, commit: false } as const

test('FlexSearch keeps what was added term by term, slot by slot', () => {
  const index = new Index(OPTIONS)
  const inside = index as unknown as IndexInside
  index.add(5, 'sun')
  expect([...inside.map]).toEqual([['sun', [[5]]]])
  expect([...inside.reg]).toEqual([5])
  expect(inside.commit_task).toEqual([])
})

test('FlexSearch hands additions to the storage it is mounted on, within the call of commit', () => {
  const calls: string[] = []
  const index = new Index(OPTIONS)
  const storage = {
    mount: (mounted: { db: unknown }) => {
      mounted.db = storage
      calls.push('mount')
    },
    commit: ({ map, commit_task }: IndexInside) => {
      calls.push(`commit ${JSON.stringify([...map])} ${JSON.stringify(commit_task)}`)
    },
  }
  void index.mount(storage as unknown as StorageInterface)
  index.add(5, 'sun')
  void index.commit()
  expect(calls).toEqual(['mount', 'commit [["sun",[[5]]]] [{"del":5}]'])
})

test('FlexSearch calls any object that has `encode`, once for each text', () => {
  const texts: string[] = []
  const encode = (text: string): string[] => {
    texts.push(text)
    return text.split('-')
  }
  const index = new Index({ ...OPTIONS, encoder: { encode } as unknown as Encoder })
  index.add(1, 'moon-sun')
  expect(texts).toEqual(['moon-sun'])
  expect([...(index as unknown as IndexInside).map.keys()]).toEqual(['moon', 'sun'])
})

test('FlexSearch asks the score hook for the slot of each term, with all terms of the text', () => {
  const calls: unknown[][] = []
  const score = (...call: unknown[]): number => {
    calls.push(call.slice(0, 3))
    return 7
  }
  const index = new Index({ ...OPTIONS, score })
  index.add(1, 'mars sun')
  const all = ['mars', 'sun']
  expect(calls).toEqual([
    [all, 'mars', 0],
    [all, 'sun', 1],
  ])
  expect((index as unknown as IndexInside).map.get('sun')?.[7]).toEqual([1])
})
