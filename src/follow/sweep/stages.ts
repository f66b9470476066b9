/** The stages of a sweep. Each compares one kind of thing, a part at a time, and says where to look more closely. */
import { FILE } from '../../domain/namespaceIds.js'
import { titleId } from '../../domain/title.js'
import type { SweepPlace } from '../../domain/upstreamPosition.js'
import type { RevisionFacts } from '../api/answers.js'
import type { Upstream } from '../api/upstream.js'
import { Look } from '../changes/look.js'
import type { Mirror } from '../mirror.js'
import { isFileOther, isPageOther, isProtectionOther, showsOther } from '../states/compare.js'

export interface StageTools {
  readonly mirror: Mirror
  readonly upstream: Upstream
  /** Revisions up to this id need not be in the mirror. */
  readonly floor: number
}

export interface StagePart {
  readonly look: Look
  /** Undefined at the end of the stage. */
  readonly next: SweepPlace | undefined
}

/** Compares the part of a stage that begins at a place. */
export type Stage = (tools: StageTools, place: SweepPlace) => Promise<StagePart>

/** Requests for known revisions in one step. */
const REQUESTS_OF_STEP = 10

/** Pages by namespace and title, with those that the mirror alone has between them. */
export const comparePages: Stage = async ({ upstream, mirror }, place) => {
  const namespaces = upstream
    .namespaces()
    .ids()
    .filter((id) => id >= 0)
  const namespace = place.namespace ?? namespaces[0]!
  const part = await upstream.allPages(namespace, place.from)
  const look = new Look()
  for (const facts of part.items) {
    const isProtected = isProtectionOther(mirror.protection(facts.title), facts.protection)
    if (isProtected || isPageOther(mirror.page(facts.id), facts, mirror)) look.page(facts.id)
  }
  const listed = new Set(part.items.map(({ id }) => id))
  for (const { pageId } of mirror.titles(namespace, place.from ?? '', part.next))
    if (!listed.has(pageId)) look.page(pageId)
  if (part.next !== undefined) return { look, next: { ...place, namespace, from: part.next } }
  const following = namespaces.find((id) => id > namespace)
  const { from: _from, ...rest } = place
  return { look, next: following === undefined ? undefined : { ...rest, namespace: following } }
}

/** Protected titles without a page: few, so all at once. */
export const compareTitles: Stage = async ({ upstream, mirror }) => {
  const look = new Look()
  const listed = new Set<string>()
  for (let next: string | undefined; ;) {
    const part = await upstream.protectedTitles(next)
    for (const { title, protection } of part.items) {
      listed.add(titleId(title))
      if (isProtectionOther(mirror.protection(title), protection)) look.title(title)
    }
    if (part.next === undefined) break
    next = part.next
  }
  for (const title of mirror.protectedTitles())
    if (!listed.has(titleId(title)) && mirror.pageWithTitle(title) === undefined) look.title(title)
  return { look, next: undefined }
}

export const compareFiles: Stage = async ({ upstream, mirror }, place) => {
  const part = await upstream.allFiles(place.from)
  const look = new Look()
  for (const { dbkey, facts } of part.items)
    if (isFileOther(mirror.file(dbkey), facts)) look.title({ namespace: FILE, dbkey })
  const listed = new Set(part.items.map(({ dbkey }) => dbkey))
  for (const dbkey of mirror.files(place.from ?? '', part.next))
    if (!listed.has(dbkey)) look.title({ namespace: FILE, dbkey })
  return { look, next: goOn(place, part.next) }
}

/** All revisions that the wiki lists, by time. */
export const compareRevisions: Stage = async ({ upstream, mirror, floor }, place) => {
  const part = await upstream.allRevisions(0, place.from)
  const look = new Look()
  for (const facts of part.items) if (isMissed(facts, mirror, floor)) look.revision(facts.id)
  return { look, next: goOn(place, part.next) }
}

/** All revisions that the mirror has, by id: some may be gone from the wiki, or may show other parts. */
export const compareKnown: Stage = async ({ upstream, mirror, floor }, place) => {
  const atOnce = upstream.atOnce * REQUESTS_OF_STEP
  const ids: number[] = []
  for (const id of mirror.revisionsAfter(Number(place.from ?? 0))) if (ids.push(id) === atOnce) break
  const { found, missing } = await upstream.revisionsById(ids)
  const look = new Look()
  for (const id of missing) look.revision(id)
  for (const facts of found) if (isMissed(facts, mirror, floor)) look.revision(facts.id)
  const last = ids.at(-1)
  const isOver = last === undefined || ids.length < atOnce
  return { look, next: isOver ? undefined : { ...place, from: String(last) } }
}

/** The place where the same stage goes on; undefined at its end. */
const goOn = (place: SweepPlace, from: string | undefined): SweepPlace | undefined =>
  from === undefined ? undefined : { ...place, from }

function isMissed(facts: RevisionFacts, mirror: Mirror, floor: number): boolean {
  const known = mirror.revision(facts.id)
  if (known === undefined) return facts.id > floor
  return known.pageId !== facts.pageId || showsOther(known, facts)
}
