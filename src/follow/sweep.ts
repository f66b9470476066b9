/**
 * Compares everything with the wiki, and repairs differences: pages, protected titles, files, then all revisions that
 * the wiki lists, then all that the mirror has. A sweep goes on where it stopped; it also fills an empty store.
 */
import { FILE } from '../domain/namespaceIds.js'
import { titleId } from '../domain/title.js'
import { SWEEP_STAGES, type SweepPlace, type SweepStage } from '../domain/upstreamPosition.js'
import type { RevisionFacts } from './api/answers.js'
import { ChangeSet } from './changeSet.js'
import { isFileOther, isPageOther, isProtectionOther, isRevisionOther } from './compare.js'
import type { Reconciler } from './reconciler.js'

/** The cursor moves after so many steps. After an interruption, the sweep repeats the steps since. */
const STEPS_BETWEEN_MOVES = 20
/** Requests for known revisions in one step. */
const REQUESTS_OF_STEP = 10

interface StagePart {
  /** Where to look more closely. */
  readonly changes: ChangeSet
  /** Undefined at the end of the stage. */
  readonly next: SweepPlace | undefined
}

/** Compares the part of a stage that begins at a place. */
type Stage = (reconciler: Reconciler, place: SweepPlace) => Promise<StagePart>

export class Sweep {
  readonly #reconciler: Reconciler
  #place: SweepPlace
  #steps = 0

  /** Goes on with the sweep of the cursor, or begins one. */
  constructor(reconciler: Reconciler) {
    this.#reconciler = reconciler
    const { cursor, upstream } = reconciler
    this.#place = cursor.position.sweep ?? { stage: 'pages', began: upstream.client.time }
    reconciler.begin()
  }

  get place(): SweepPlace {
    return this.#place
  }

  /** Compares the next part. False: it was the last. */
  async step(): Promise<boolean> {
    const { stage, began } = this.#place
    const { changes, next = this.#following() } = await STAGES[stage](this.#reconciler, this.#place)
    changes.bots ||= next === undefined
    const isDue = (this.#steps + 1) % STEPS_BETWEEN_MOVES === 0
    const move = next === undefined ? { sweep: undefined, swept: began } : isDue ? { sweep: next } : undefined
    await this.#reconciler.reconcile(changes, { fillsGaps: false, move })
    if (next === undefined) return false
    this.#steps++
    this.#place = next
    return true
  }

  /** The beginning of the next stage. */
  #following(): SweepPlace | undefined {
    const { began, isFirst } = this.#place
    const stages = SWEEP_STAGES.filter((stage) => stage !== 'files' || this.#reconciler.withFiles)
    const stage = stages[stages.indexOf(this.#place.stage) + 1]
    return stage && { stage, began, ...(isFirst && { isFirst }) }
  }
}

/** Pages by namespace and title, with those that the mirror alone has between them. */
const comparePages: Stage = async ({ upstream, mirror }, place) => {
  const namespaces = upstream
    .namespaces()
    .ids()
    .filter((id) => id >= 0)
  const namespace = place.namespace ?? namespaces[0]!
  const { items, next } = await upstream.allPages(namespace, place.from)
  const changes = new ChangeSet()
  for (const facts of items) {
    const isProtected = isProtectionOther(mirror.protection(facts.title), facts.protection)
    if (isProtected || isPageOther(mirror.page(facts.id), facts, mirror)) changes.page(facts.id)
  }
  const listed = new Set(items.map(({ id }) => id))
  for (const { pageId } of mirror.titles(namespace, place.from ?? '', next))
    if (!listed.has(pageId)) changes.page(pageId)
  if (next !== undefined) return { changes, next: { ...place, namespace, from: next } }
  const following = namespaces.find((id) => id > namespace)
  const { from: _from, ...rest } = place
  return { changes, next: following === undefined ? undefined : { ...rest, namespace: following } }
}

/** Protected titles without a page: few, so all at once. */
const compareTitles: Stage = async ({ upstream, mirror }) => {
  const changes = new ChangeSet()
  const listed = new Set<string>()
  let next: string | undefined
  do {
    const part = await upstream.protectedTitles(next)
    for (const { title, protection } of part.items) {
      listed.add(titleId(title))
      if (isProtectionOther(mirror.protection(title), protection)) changes.title(title)
    }
    next = part.next
  } while (next !== undefined)
  for (const title of mirror.protectedTitles())
    if (!listed.has(titleId(title)) && mirror.pageWithTitle(title) === undefined) changes.title(title)
  return { changes, next: undefined }
}

const compareFiles: Stage = async ({ upstream, mirror }, place) => {
  const { items, next } = await upstream.allFiles(place.from)
  const changes = new ChangeSet()
  for (const { dbkey, facts } of items)
    if (isFileOther(mirror.file(dbkey), facts)) changes.title({ namespace: FILE, dbkey })
  const listed = new Set(items.map(({ dbkey }) => dbkey))
  for (const dbkey of mirror.files(place.from ?? '', next))
    if (!listed.has(dbkey)) changes.title({ namespace: FILE, dbkey })
  return { changes, next: goOn(place, next) }
}

/** All revisions that the wiki lists, by time. */
const compareRevisions: Stage = async (reconciler, place) => {
  const { items, next } = await reconciler.upstream.allRevisions(place.from)
  const changes = new ChangeSet()
  for (const facts of items) if (isMissed(facts, reconciler)) changes.revision(facts.id)
  return { changes, next: goOn(place, next) }
}

/** All revisions that the mirror has, by id: some may be gone from the wiki, or may show other parts. */
const compareKnown: Stage = async (reconciler, place) => {
  const { upstream, mirror } = reconciler
  const atOnce = upstream.atOnce * REQUESTS_OF_STEP
  const ids: number[] = []
  for (const id of mirror.revisionsAfter(Number(place.from ?? 0))) if (ids.push(id) === atOnce) break
  const { found, missing } = await upstream.revisionsById(ids)
  const changes = new ChangeSet()
  for (const id of missing) changes.revision(id)
  for (const facts of found) if (isMissed(facts, reconciler)) changes.revision(facts.id)
  return { changes, next: goOn(place, ids.length < atOnce ? undefined : String(ids.at(-1))) }
}

const STAGES: Readonly<Record<SweepStage, Stage>> = {
  pages: comparePages,
  titles: compareTitles,
  files: compareFiles,
  revisions: compareRevisions,
  known: compareKnown,
}

/** The place where the same stage goes on; undefined at its end. */
const goOn = (place: SweepPlace, from: string | undefined): SweepPlace | undefined =>
  from === undefined ? undefined : { ...place, from }

function isMissed(facts: RevisionFacts, { mirror, cursor }: Reconciler): boolean {
  const known = mirror.revision(facts.id)
  return known === undefined ? facts.id > cursor.position.floor : isRevisionOther(known, facts)
}
