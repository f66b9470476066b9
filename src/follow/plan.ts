/** Differences between mirror and wiki, before further texts are fetched. */
import { FILE } from '../domain/namespaceIds.js'
import { compareTitles } from '../domain/title.js'
import type { GonePage, UpstreamName } from '../domain/upstream.js'
import type { MirrorReader } from '../storage/upstream/mirrorReader.js'
import type { MissingTitle, PageFacts, RevisionFacts, StatedFile } from './api/answers.js'
import type { Upstream } from './api/upstream.js'
import { isFileOther, isPageOther, isProtectionOther, showsOther } from './compare.js'
import type { Inquiry } from './inquiry.js'

/** All differences in the places of a change set. */
export interface Plan {
  /** In the order to write them. */
  readonly pages: readonly PagePlan[]
  readonly protections: readonly MissingTitle[]
  readonly files: readonly FilePlan[]
  readonly renames: readonly UpstreamName[]
  readonly bots: readonly string[] | undefined
}

export type PagePlan = GonePage | PresentPlan

export interface PresentPlan {
  readonly id: number
  readonly facts: PageFacts
  readonly add: readonly RevisionFacts[]
  /** Ids of revisions that the mirror has with another page. */
  readonly take: readonly number[]
  readonly remove: readonly number[]
  readonly change: readonly RevisionFacts[]
}

export interface FilePlan {
  readonly dbkey: string
  /** Null: there is no such file. */
  readonly file: StatedFile | null
}

export interface PlanTools {
  readonly upstream: Upstream
  readonly mirror: MirrorReader
  /** False: files are not followed. */
  readonly withFiles: boolean
}

/** Compares the answers of an inquiry with the mirror. */
export async function planOf(inquiry: Inquiry, { upstream, mirror, withFiles }: PlanTools): Promise<Plan> {
  const { changes } = inquiry
  return {
    pages: pagePlans(inquiry, mirror),
    protections: protectionPlans(inquiry, mirror),
    files: withFiles ? await filePlans(inquiry, mirror, upstream) : [],
    renames: renamesIn(inquiry, mirror),
    bots: changes.bots ? await otherBots(mirror, upstream) : undefined,
  }
}

/** Pages that are gone come first, but for those whose revisions another page takes. */
function pagePlans(inquiry: Inquiry, mirror: MirrorReader): PagePlan[] {
  const stated = grouped(inquiry.revisions.values(), ({ pageId }) => pageId)
  const lost = grouped(inquiry.lost, (id) => mirror.revision(id)?.pageId ?? 0)
  const present = [...inquiry.found.values()].sort(byId).flatMap((facts) =>
    presentPlan(inquiry, mirror, facts, {
      stated: stated.get(facts.id) ?? [],
      remove: lost.get(facts.id) ?? [],
    }),
  )
  const givers = new Set(present.flatMap(({ take }) => take.map((id) => mirror.revision(id)!.pageId)))
  const gone = [...inquiry.missing]
    .filter((id) => mirror.page(id) !== undefined)
    .map((id) => ({ id, gone: true }) as const)
    .sort(byId)
  return [...gone.filter(({ id }) => !givers.has(id)), ...present, ...gone.filter(({ id }) => givers.has(id))]
}

/** The differences of a page: none, or one plan. */
function presentPlan(
  inquiry: Inquiry,
  mirror: MirrorReader,
  facts: PageFacts,
  { stated, remove }: { readonly stated: readonly RevisionFacts[]; readonly remove: readonly number[] },
): PresentPlan[] {
  const { id } = facts
  const [add, change]: [RevisionFacts[], RevisionFacts[]] = [[], []]
  const take: number[] = []
  for (const revision of stated) {
    const known = mirror.revision(revision.id)
    if (known === undefined) {
      if (inquiry.isKept(revision, facts.latestId)) add.push(revision)
      continue
    }
    if (known.pageId !== id) take.push(known.id)
    if (showsOther(known, revision)) change.push(revision)
  }
  const count = add.length + take.length + change.length + remove.length
  if (count === 0 && !isPageOther(mirror.page(id), facts, mirror)) return []
  const sorted = (ids: readonly number[]): number[] => [...ids].sort((one, other) => one - other)
  return [
    {
      id,
      facts,
      add: add.sort(byPlace),
      take: sorted(take),
      remove: sorted(remove),
      change: change.sort(byPlace),
    },
  ]
}

function protectionPlans({ protections }: Inquiry, mirror: MirrorReader): MissingTitle[] {
  return [...protections.values()]
    .filter(({ title, protection }) => isProtectionOther(mirror.protection(title), protection))
    .map(({ title, protection }) => ({ title, protection }))
    .sort((one, other) => compareTitles(one.title, other.title))
}

async function filePlans(
  { changes }: Inquiry,
  mirror: MirrorReader,
  upstream: Upstream,
): Promise<FilePlan[]> {
  const titles = [...changes.titles.values()]
    .map(({ title }) => title)
    .filter(({ namespace }) => namespace === FILE)
    .sort(compareTitles)
  if (titles.length === 0) return []
  const stated = new Map((await upstream.files(titles)).map((file) => [file.dbkey, file]))
  return titles.flatMap(({ dbkey }) => {
    const [known, file] = [mirror.file(dbkey), stated.get(dbkey) ?? null]
    const isOther = file === null ? known !== undefined : isFileOther(known, file.facts)
    return isOther ? [{ dbkey, file }] : []
  })
}

/** Accounts whose revisions show another name under the same id. */
function renamesIn({ revisions }: Inquiry, mirror: MirrorReader): UpstreamName[] {
  const names = new Map<number, string>()
  for (const { id, editor } of revisions.values()) {
    const before = mirror.revision(id)?.editor
    if (editor?.id && before?.id === editor.id && before.name !== editor.name)
      names.set(editor.id, editor.name)
  }
  return [...names]
    .map(([userId, name]) => ({ userId, name }))
    .sort((one, other) => one.userId - other.userId)
}

async function otherBots(mirror: MirrorReader, upstream: Upstream): Promise<readonly string[] | undefined> {
  const [known, stated] = [[...mirror.bots()].sort(), await upstream.bots()]
  return JSON.stringify(known) === JSON.stringify(stated) ? undefined : stated
}

function grouped<Item>(items: Iterable<Item>, keyOf: (item: Item) => number): Map<number, Item[]> {
  const groups = new Map<number, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

const byId = (one: { readonly id: number }, other: { readonly id: number }): number => one.id - other.id

const byPlace = (one: RevisionFacts, other: RevisionFacts): number =>
  one.timestamp - other.timestamp || one.id - other.id
