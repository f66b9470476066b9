/** Leaves out of a batch what no row can hold. Such an entry would be invalid as a whole. */
import type { UpstreamPage, UpstreamStates } from '../../domain/upstream.js'
import { clashIn, pageFault, statesFault } from '../../storage/entries/statesFault.js'
import { unexpected } from '../api/fields.js'

/** `omit` names each thing left out. Throws a fault for answers that contradict each other. */
export function storableStates(states: UpstreamStates, omit: (what: string) => void): UpstreamStates {
  if (statesFault(states) === undefined) return states
  const clash = clashIn(states)
  if (clash !== undefined) throw unexpected(clash)
  const kept = <Item>(items: readonly Item[], fieldOf: (item: Item) => Partial<UpstreamStates>): Item[] =>
    items.filter((item) => {
      const fault = statesFault({ ...NONE, ...fieldOf(item) })
      if (fault !== undefined) omit(`${JSON.stringify(item).slice(0, 200)}: ${fault}`)
      return fault === undefined
    })
  const { bots, site, interwiki, ...rest } = states
  return {
    ...rest,
    pages: states.pages.flatMap((page) => storablePage(page, omit)),
    files: kept(states.files, (file) => ({ files: [file] })),
    protections: kept(states.protections, (each) => ({ protections: [each] })),
    renames: kept(states.renames, (each) => ({ renames: [each] })),
    ...(bots && { bots: kept(bots, (each) => ({ bots: [each] })) }),
    ...(site && kept([site], (each) => ({ site: each })).length > 0 && { site }),
    ...(interwiki && { interwiki: kept(interwiki, (each) => ({ interwiki: [each] })) }),
  }
}

const NONE: UpstreamStates = { pages: [], files: [], protections: [], renames: [] }

/** The page without its strange revisions; nothing if it is strange itself. */
function storablePage(page: UpstreamPage, omit: (what: string) => void): UpstreamPage[] {
  if (pageFault(page) === undefined) return [page]
  if ('gone' in page) return leftOut(page, omit)
  const bare = { ...page, add: [], change: [] }
  if (pageFault(bare) !== undefined) return leftOut(page, omit)
  const isSound = (part: object, id: number): boolean => {
    const fault = pageFault({ ...bare, ...part })
    if (fault !== undefined) omit(`revision ${id}: ${fault}`)
    return fault === undefined
  }
  const add = page.add.filter((each) => isSound({ add: [each] }, each.id))
  const change = page.change.filter((each) => isSound({ change: [each] }, each.id))
  return [{ ...page, add, change }]
}

function leftOut(page: UpstreamPage, omit: (what: string) => void): [] {
  omit(`page ${page.id}: ${pageFault(page)}`)
  return []
}
