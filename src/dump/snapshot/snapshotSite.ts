/** The wiki of a snapshot. Its rows do not describe the wiki, so names of namespaces come from its titles. */
import { CATEGORY, FILE, MAIN, PROJECT, PROJECT_TALK, TEMPLATE } from '../../domain/namespaceIds.js'
import { DEFAULT_SITE, type Namespace, type TitleCase } from '../../domain/site.js'
import { capitalise } from '../../domain/title.js'
import { languageOf, type Language } from '../../language/language.js'
import type { DumpSite } from '../types.js'
import type { SnapshotRow } from './snapshotRow.js'

const FILE_TITLE = /\sresource="\.\/([^:"/]+):/g
const LANGUAGE = /^[a-z]{2,}(?:-[a-z0-9]+)*$/i
const WIKI_URL = /^(https?:\/\/[^/?#]+\/(?:[^?#]*\/)?)[^/?#]*$/

/** Describes the wiki by the first rows. */
export function siteOfSnapshot(rows: readonly SnapshotRow[]): DumpSite {
  const language = rows.find((row) => row.language !== undefined)?.language
  const titleCase = caseOf(rows, languageOf(language ?? ''))
  return {
    schema: 'snapshot',
    isSnapshot: true,
    language: language !== undefined && LANGUAGE.test(language) ? language : undefined,
    name: undefined,
    wikiId: rows.find((row) => row.wikiId !== undefined)?.wikiId,
    base: baseOf(rows),
    generator: undefined,
    case: titleCase,
    namespaces: namespacesOf(rows, language ?? '', titleCase),
  }
}

/** The URL of pages without a title, such as `https://en.wikipedia.org/wiki/`. */
function baseOf(rows: readonly SnapshotRow[]): string | undefined {
  const url = rows.find((row) => row.namespace === MAIN && !row.title.includes('/'))?.url
  return WIKI_URL.exec(url ?? '')?.[1]
}

/** A wiki with a title that begins with a small letter keeps the case of all. */
const caseOf = (rows: readonly SnapshotRow[], language: Language): TitleCase =>
  rows.some(({ namespace, title }) => namespace === MAIN && capitalise(title, language) !== title)
    ? 'case-sensitive'
    : 'first-letter'

/**
 * Names that the rows show, and English ones for the rest. A namespace whose local name may be another is left out:
 * the first page in it declares it.
 */
function namespacesOf(rows: readonly SnapshotRow[], language: string, titleCase: TitleCase): Namespace[] {
  const names = namesIn(rows)
  const isKept = (id: number): boolean =>
    names.has(id) ||
    id <= MAIN ||
    id === FILE ||
    id === TEMPLATE ||
    id === CATEGORY ||
    (/^en\b/.test(language) && id !== PROJECT && id !== PROJECT_TALK)
  const known = DEFAULT_SITE.namespaces.filter(({ id }) => isKept(id))
  const added = [...names.keys()].filter((id) => !known.some((each) => each.id === id))
  const all = [...known, ...added.map((id) => ({ id, name: '' }))]
  return all.map(({ id, name }) => ({ id, name: names.get(id) ?? name, case: titleCase }))
}

function namesIn(rows: readonly SnapshotRow[]): Map<number, string> {
  const votes = new Votes()
  for (const { namespace, title, templates, categories, html } of rows) {
    if (namespace !== MAIN) votes.add(namespace, prefixOf(title))
    for (const each of categories) votes.add(CATEGORY, prefixOf(each))
    // Modules are in the list of templates too, but are fewer.
    for (const each of templates) votes.add(TEMPLATE, prefixOf(each))
    for (const [, name] of html?.text.matchAll(FILE_TITLE) ?? []) votes.add(FILE, decoded(name!))
  }
  return votes.winners()
}

/** Counts how often a namespace seems to have a name. */
class Votes {
  readonly #counts = new Map<number, Map<string, number>>()

  add(namespace: number, name: string): void {
    if (name === '') return
    const counts = this.#counts.get(namespace) ?? new Map<string, number>()
    this.#counts.set(namespace, counts.set(name, (counts.get(name) ?? 0) + 1))
  }

  /** The most frequent names. Of two namespaces with one name, the first one has it. */
  winners(): Map<number, string> {
    const winners = new Map<number, string>()
    for (const [id, counts] of [...this.#counts].sort(([one], [other]) => one - other)) {
      const [[name] = ['']] = [...counts].sort(([, one], [, other]) => other - one)
      if (![...winners.values()].includes(name)) winners.set(id, name)
    }
    return winners
  }
}

const prefixOf = (title: string): string =>
  (title.includes(':') ? title.slice(0, title.indexOf(':')) : '').trim()

function decoded(name: string): string {
  try {
    return decodeURIComponent(name).replaceAll('_', ' ')
  } catch {
    return ''
  }
}
