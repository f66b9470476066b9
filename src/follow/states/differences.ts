/** Compares the answers of the wiki with the mirror: what is left is a plan. */
import { type Title } from '../../domain/title.js'
import type { UpstreamName } from '../../domain/upstream.js'
import type { MissingTitle, PageFacts, RevisionFacts } from '../api/answers.js'
import type { Upstream } from '../api/upstream.js'
import { fileTitles, type Look } from '../changes/look.js'
import type { Mirror } from '../mirror.js'
import type { Answers } from './answers.js'
import { isFileOther, isPageOther, isProtectionOther, showsOther } from './compare.js'
import type { RoundTools } from './rounds.js'
import type { FilePlan, PagePlan, Plan, PresentPlan } from './plan.js'

export class Differences {
  readonly #upstream: Upstream
  readonly #mirror: Mirror
  readonly #look: Look
  readonly #answers: Answers
  readonly #isKept: RoundTools['isKept']

  constructor(
    upstream: Upstream,
    mirror: Mirror,
    look: Look,
    answers: Answers,
    isKept: RoundTools['isKept'],
  ) {
    this.#isKept = isKept
    this.#upstream = upstream
    this.#mirror = mirror
    this.#look = look
    this.#answers = answers
  }

  async plan(withFiles: boolean): Promise<Plan> {
    const { bots } = this.#look
    return {
      pages: this.#pagePlans(),
      protections: this.#protectionPlans(),
      files: withFiles ? await this.#filePlans() : [],
      renames: this.#renames(),
      bots: bots ? await this.#otherBots() : undefined,
      doubts: { pages: this.#answers.doubtedPages, revisions: this.#answers.doubtedRevisions },
      isUnfinished: this.#answers.isUnfinished,
    }
  }

  /** Pages that are gone come first, but for those whose revisions another page takes. */
  #pagePlans(): PagePlan[] {
    const byPage = grouped(this.#answers.revisions.values(), ({ pageId }) => pageId)
    const removed = grouped(this.#answers.lost, (id) => this.#mirror.revision(id)?.pageId ?? 0)
    const present = [...this.#answers.found.values()]
      .sort((one, other) => one.id - other.id)
      .flatMap((facts) => this.#presentPlan(facts, byPage.get(facts.id) ?? [], removed.get(facts.id) ?? []))
    const givers = new Set(present.flatMap(({ take }) => take.map((id) => this.#mirror.revision(id)!.pageId)))
    const gone = [...this.#answers.missing]
      .filter((id) => this.#mirror.page(id) !== undefined)
      .sort((one, other) => one - other)
      .map((id) => ({ id, gone: true }) as const)
    return [
      ...gone.filter(({ id }) => !givers.has(id)),
      ...present,
      ...gone.filter(({ id }) => givers.has(id)),
    ]
  }

  #presentPlan(facts: PageFacts, stated: readonly RevisionFacts[], remove: readonly number[]): PresentPlan[] {
    const { id } = facts
    const known = stated.map((revision) => ({ revision, here: this.#mirror.revision(revision.id) }))
    const add = known.flatMap(({ revision, here }) =>
      here === undefined && this.#isKept(revision, facts.latestId) ? [revision] : [],
    )
    const take = known.flatMap(({ here }) => (here !== undefined && here.pageId !== id ? [here.id] : []))
    const change = known.flatMap(({ revision, here }) =>
      here !== undefined && showsOther(here, revision) ? [revision] : [],
    )
    const count = add.length + take.length + change.length + remove.length
    if (count === 0 && !isPageOther(this.#mirror.page(id), facts, this.#mirror)) return []
    const place = (one: RevisionFacts, other: RevisionFacts): number =>
      one.timestamp - other.timestamp || one.id - other.id
    return [
      {
        id,
        facts,
        add: add.sort(place),
        take: sorted(take),
        remove: sorted(remove),
        change: change.sort(place),
      },
    ]
  }

  #protectionPlans(): MissingTitle[] {
    return [...this.#answers.protections.values()]
      .filter(({ title, protection }) => isProtectionOther(this.#mirror.protection(title), protection))
      .map(({ title, protection }) => ({ title, protection }))
      .sort(byTitle)
  }

  async #filePlans(): Promise<FilePlan[]> {
    const titles = fileTitles([...this.#look.titles.values()].map(({ title }) => title)).sort((one, other) =>
      byTitle({ title: one }, { title: other }),
    )
    if (titles.length === 0) return []
    const stated = new Map((await this.#upstream.files(titles)).map((file) => [file.dbkey, file]))
    return titles.flatMap(({ dbkey }) => {
      const [known, file] = [this.#mirror.file(dbkey), stated.get(dbkey) ?? null]
      const isOther = file === null ? known !== undefined : isFileOther(known, file.facts)
      return isOther ? [{ dbkey, file }] : []
    })
  }

  /** Accounts whose revisions show another name under the same id. */
  #renames(): UpstreamName[] {
    const names = new Map<number, string>()
    for (const { id, editor } of this.#answers.revisions.values()) {
      const before = this.#mirror.revision(id)?.editor
      if (editor?.id && before?.id === editor.id && before.name !== editor.name)
        names.set(editor.id, editor.name)
    }
    return [...names]
      .map(([userId, name]) => ({ userId, name }))
      .sort((one, other) => one.userId - other.userId)
  }

  async #otherBots(): Promise<readonly string[] | undefined> {
    const [known, stated] = [[...this.#mirror.bots()].sort(), await this.#upstream.bots()]
    return JSON.stringify(known) === JSON.stringify(stated) ? undefined : stated
  }
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

const sorted = (ids: readonly number[]): number[] => [...ids].sort((one, other) => one - other)

const byTitle = (one: { readonly title: Title }, other: { readonly title: Title }): number =>
  one.title.namespace - other.title.namespace ||
  Buffer.compare(Buffer.from(one.title.dbkey), Buffer.from(other.title.dbkey))
