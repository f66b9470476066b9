import { expect, test } from 'vitest'
import { Turn } from '../../../src/http/socket/turn.js'
import { openFolder, temporaryStore } from '../../support/store.js'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The generations that two requests of one turn see when something was written between them. */
function twoRequests(connections: number): { generations: number[]; turn: Turn } {
  const { store: writing, dataDir } = temporaryStore()
  const turn = new Turn(openFolder(dataDir), { count: connections }, () => undefined)
  const before = turn.begin()
  writing.transact(() => undefined)
  return { generations: [before, turn.begin()], turn }
}

test('requests of a turn see the store as of its beginning', async () => {
  const { generations, turn } = twoRequests(899)
  expect(generations[1]).toBe(generations[0])
  await nextTurn()
  expect(turn.begin()).toBe(generations[0]! + 1)
})

test('with many connections, of which some may send while a turn lasts, each request sees the store as it is', () => {
  const { generations } = twoRequests(900)
  expect(generations[1]).toBe(generations[0]! + 1)
})
