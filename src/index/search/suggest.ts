/** "Did you mean": another spelling for a query with words that no page has. */
import { type Query, withWords } from './query.js'
import { similarTerms } from './spelling.js'
import type { TermLists } from './termLists.js'

/** Words to correct in a query. With more, it is probably in another language. */
const MAX_CORRECTED = 2
/** Corrected queries to try, since their words must also stand in one page. */
const MAX_TRIED = 6

/** Terms of the query that no page has; empty if there are too many to correct. */
export function unknownTerms({ terms }: Query, lists: readonly TermLists[]): readonly string[] {
  const unknown = terms.filter((term) => lists.every((list) => list.frequencyOf(term) === 0))
  return unknown.length > MAX_CORRECTED ? [] : unknown
}

/** The query in another spelling that finds something; `finds` tells if one does. Undefined if there is none. */
export function suggest(
  query: Query,
  lists: readonly TermLists[],
  finds: (query: Query) => boolean,
): string | undefined {
  const unknown = unknownTerms(query, lists)
  if (unknown.length === 0) return undefined
  const choices = unknown.map((term) => [...new Set(lists.flatMap((list) => similarTerms(list, term)))])
  for (const choice of combinations(choices).slice(0, MAX_TRIED)) {
    const replaced = new Map(unknown.map((term, n) => [term, choice[n]!]))
    const terms = query.terms.map((term) => replaced.get(term) ?? term)
    // A suggestion need not have the words in a row.
    const corrected = { ...query, terms: [...new Set(terms)], unfinished: undefined, sequence: [] }
    if (finds(corrected)) return withWords(query, replaced)
  }
  return undefined
}

/** All choices of one word for each place, those of the first words first. */
function combinations(choices: readonly (readonly string[])[]): string[][] {
  return choices.reduce<string[][]>(
    (found, words) => found.flatMap((before) => words.map((word) => [...before, word])),
    [[]],
  )
}
