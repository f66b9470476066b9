/** `prop=revisions`: the latest revisions of pages, chosen ones, or the history of one page. */
import type { Title } from '../../../../domain/title.js'
import type { RevisionRow } from '../../../../storage/store.js'
import {
  choiceOr,
  continueFrom,
  integer,
  optionalLimit,
  text,
  timestamp,
  user,
  type Values,
} from '../../frame/declaration.js'
import { ActionError, requireAtMostOneOf } from '../../frame/problems.js'
import type { Fields } from '../../frame/values.js'
import type { PageEntry } from '../../pageSet/pageSet.js'
import { shownOf, tagsOf } from '../../revisionFields.js'
import { readBy, type Walk, walkHistory } from '../historyWalk.js'
import { defineFacts, type Facts, type More, type QueryCall } from '../module.js'
import { shownParameters, ShownRevisions } from '../shownRevisions.js'
import { moreAt, placeOf } from '../timePlaces.js'

const { prop, slots, ...furtherParameters } = shownParameters

const parameters = {
  prop,
  slots,
  limit: optionalLimit('list this many revisions of one page'),
  startid: integer('begin with this revision', { min: 1 }),
  endid: integer('end with this revision', { min: 1 }),
  start: timestamp('begin with revisions of this time'),
  end: timestamp('end with revisions of this time'),
  dir: choiceOr('older', ['newer', 'older'], 'direction of the list'),
  user: user('only revisions of this user'),
  excludeuser: user('no revisions of this user'),
  tag: text('only revisions with this tag'),
  ...furtherParameters,
  continue: continueFrom(),
}
type RevisionValues = Values<typeof parameters>

const LIST_NAMES =
  '"$1limit", "$1startid", "$1endid", "$1dir=newer", "$1user", "$1excludeuser", "$1start", and "$1end"'

export const revisions = defineFacts({
  name: 'revisions',
  prefix: 'rv',
  summary: 'Revisions of pages, with their texts',
  parameters,
  async run(call, values) {
    requireFitting(values, call)
    const shows = new RevisionsOfPages(call, values)
    const facts: Facts = isList(values)
      ? await shows.list()
      : call.pages.revisions.length > 0
        ? await shows.named()
        : await shows.latest()
    return facts
  },
})

const isList = (values: RevisionValues): boolean =>
  values.dir === 'newer' ||
  (['limit', 'startid', 'endid', 'user', 'excludeuser', 'start', 'end'] as const).some(
    (name) => values[name] !== undefined,
  )

function requireFitting(values: RevisionValues, { module, pages }: QueryCall): void {
  const { prefix } = module
  if (isList(values)) {
    const names = LIST_NAMES.replaceAll('$1', prefix)
    if (pages.revisions.length > 0)
      throw new ActionError(
        'invalidparammix',
        `The "revids" parameter may not be used with the list options (${names}).`,
      )
    if (pages.existing().length > 1)
      throw new ActionError(
        'invalidparammix',
        `"titles", "pageids" or a generator was used to supply multiple pages, but the ${names} parameters may only be used on a single page.`,
      )
  }
  const { startid, start, endid, end, user: only, excludeuser } = values
  requireAtMostOneOf({ [`${prefix}startid`]: startid, [`${prefix}start`]: start })
  requireAtMostOneOf({ [`${prefix}endid`]: endid, [`${prefix}end`]: end })
  requireAtMostOneOf({ [`${prefix}user`]: only, [`${prefix}excludeuser`]: excludeuser })
}

class RevisionsOfPages {
  readonly #call: QueryCall
  readonly #values: RevisionValues
  readonly #shown: ShownRevisions
  readonly #facts = new Map<PageEntry, Record<string, unknown[]>>()

  constructor(call: QueryCall, values: RevisionValues) {
    this.#call = call
    this.#values = values
    this.#shown = new ShownRevisions(call, values)
  }

  async latest(): Promise<Facts> {
    const from = Number(this.#values.continue ?? 0)
    for (const entry of this.#call.pages.existing()) {
      if (entry.page.pageId < from) continue
      const revision = this.#call.context.store.getRevision(entry.page.latestId)
      if (revision === undefined) continue
      if (!(await this.#add(entry, entry.title, revision)))
        return this.#result({ continue: entry.page.pageId })
    }
    return this.#result()
  }

  async named(): Promise<Facts> {
    const from = Number(this.#values.continue ?? 0)
    for (const { id, entry } of [...this.#call.pages.revisions].sort((one, other) => one.id - other.id)) {
      const revision = id < from ? undefined : this.#call.context.store.getRevision(id)
      if (revision === undefined || entry.title === undefined) continue
      if (!(await this.#add(entry, entry.title, revision))) return this.#result({ continue: id })
    }
    return this.#result()
  }

  async list(): Promise<Facts> {
    const [entry] = this.#call.pages.existing()
    if (entry === undefined) return this.#result()
    // HTML comes one by one.
    const { limit = 10, parse } = this.#values
    const most = parse ? 1 : limit
    const walk = this.#walk(entry.page.pageId)
    const found: RevisionRow[] = []
    let next: RevisionRow | undefined
    for (const revision of walkHistory(this.#call.context.store, walk)) {
      if (!this.#isWanted(revision)) continue
      if (found.length === most) {
        next = revision
        break
      }
      found.push(revision)
    }
    for (const revision of found)
      if (!(await this.#add(entry, entry.title, revision))) return this.#result(moreAt(revision))
    return this.#result(next && moreAt(next))
  }

  #walk(pageId: number): Walk {
    const { dir, start, end, startid, endid, continue: given } = this.#values
    const isNewer = dir === 'newer'
    const from = given === undefined ? this.#anchor('startid', startid, start) : placeOf(given)
    return { pageId, isNewer, from, to: this.#anchor('endid', endid, end), maxRows: 10_000 }
  }

  #anchor(
    name: string,
    id: number | undefined,
    time: number | undefined,
  ): { timestamp: number; id?: number } | undefined {
    if (id === undefined) return time === undefined ? undefined : { timestamp: time }
    const revision = this.#call.context.store.getRevision(id)
    const parameter = this.#call.module.prefix + name
    if (revision === undefined)
      throw new ActionError(`badid_${parameter}`, `No revision was found for parameter "${parameter}".`)
    return { timestamp: revision.timestamp, id }
  }

  #isWanted(revision: RevisionRow): boolean {
    const { user: only, excludeuser, tag } = this.#values
    if (tag !== undefined && !tagsOf(revision, this.#call).includes(tag)) return false
    if (only !== undefined) return readBy(shownOf(revision).user, only)
    return excludeuser === undefined || !readBy(shownOf(revision).user, excludeuser)
  }

  /** False if the text does not fit into this answer. */
  async #add(entry: PageEntry, title: Title, revision: RevisionRow): Promise<boolean> {
    const fields = await this.#shown.fields(revision, title)
    if (fields === undefined) return false
    const list = this.#facts.get(entry)?.['revisions'] ?? []
    list.push(fields)
    this.#facts.set(entry, { revisions: list })
    return true
  }

  #result(more?: More): Facts {
    const facts = new Map<PageEntry, Fields>(this.#facts)
    return { facts, ...(more && { more }) }
  }
}
