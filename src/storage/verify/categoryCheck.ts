/** Checks the index of categories in force: rows of pages, lists of members, and counts. */
import { incomingCategories } from '../categories/categoryIndexing.js'
import { categoriesAfterText, isSameState, readPageCategories } from '../categories/pageCategories.js'
import {
  decodeCounts,
  decodePageCategories,
  MEMBER_KINDS,
  memberKeys,
  memberTimeKeys,
  type PageCategories,
} from '../rows/categoryRows.js'
import { decodePageRow } from '../rows/rows.js'
import { indexInForce, readIndexState } from '../search/indexState.js'
import { readIndexable } from '../search/indexedPage.js'
import { type IndexSet, WHOLE_TABLE } from '../tables/tables.js'
import { soundRows, type VerifyContext } from './context.js'

/**
 * Every page must have the categories that its text names, and be in both lists of each of its categories. Lists and
 * counts must have no others. An index that an older version of the program made lacks pages or times, which is no
 * fault. Nothing here can recompute categories that a rendering or the imported table added.
 */
export function checkCategories(context: VerifyContext): void {
  const index = indexInForce(context.tables)
  const { members, times } = countMembers(context, index)
  if (readIndexState(context.tables).categories === true) checkPages(context, index)
  checkMembers(context, index, members)
  const found = index.categoryTime.getKeysCount(WHOLE_TABLE)
  if (found !== times)
    context.report(`categories: ${found} times of members, but the pages account for ${times}`)
}

/** Numbers of members and their times that the pages account for. Each must be in the list of its category. */
function countMembers(
  { tables, report }: VerifyContext,
  index: IndexSet,
): { members: number; times: number } {
  let members = 0
  let times = 0
  for (const { key: pageId, value } of soundRows({ report }, 'pageCategories', index.pageCategories)) {
    const row = tables.page.getBinary(pageId)
    if (row === undefined || decodePageRow(row).deleted)
      report(`categories: page ${pageId} has some, but does not exist`)
    const page = decodePageCategories(value)
    for (const key of memberKeys(pageId, page)) {
      members++
      if (!index.categoryMember.doesExist(key))
        report(`categories: ${key[0]} lacks page ${pageId}, which is in it`)
    }
    for (const key of memberTimeKeys(pageId, page)) {
      times++
      if (!index.categoryTime.doesExist(key)) report(`categories: ${key[0]} lacks the time of page ${pageId}`)
    }
  }
  for (const _row of soundRows({ report }, 'categoryTime', index.categoryTime));
  return { members, times }
}

/** Indexing a page again must change nothing. A queued one may have other categories by now. */
function checkPages({ tables, namespaces, report }: VerifyContext, index: IndexSet): void {
  const compared = readIndexState(tables).categoryTimes === true ? (state: State) => state : withoutTimes
  for (const pageId of tables.page.getKeys(WHOLE_TABLE)) {
    const page = index.indexQueue.doesExist(pageId) ? undefined : readIndexable(tables, pageId)
    if (page === undefined) continue
    const stored = readPageCategories(index, pageId)
    const wanted = categoriesAfterText(stored, incomingCategories(tables, page, namespaces))
    if (!isSameState(compared(stored), compared(wanted)))
      report(`categories: page ${pageId} has others than its text says`)
  }
}

type State = PageCategories | undefined

const withoutTimes = (state: State): State =>
  state && { ...state, entries: state.entries.map((entry) => ({ ...entry, time: undefined })) }

function checkMembers({ report }: VerifyContext, index: IndexSet, wanted: number): void {
  let found = 0
  let categories = 0
  let current: { readonly category: string; readonly counts: number[] } | undefined
  const finish = (): void => {
    if (current === undefined) return
    categories++
    const row = index.categoryCount.getBinary(current.category)
    const stated = row && decodeCounts(row)
    if (MEMBER_KINDS.some((kind, n) => stated?.[kind] !== current!.counts[n]))
      report(`categories: the counts of ${current.category} are not those of its members`)
  }
  for (const { key } of soundRows({ report }, 'categoryMember', index.categoryMember)) {
    const [category, kind] = key
    found++
    if (current?.category !== category) {
      finish()
      current = { category, counts: MEMBER_KINDS.map(() => 0) }
    }
    current.counts[kind]! += 1
  }
  finish()
  if (found !== wanted) report(`categories: ${found} members, but the pages account for ${wanted}`)
  const counted = index.categoryCount.getKeysCount(WHOLE_TABLE)
  if (counted !== categories) report(`categories: ${counted} have counts, but ${categories} have members`)
}
