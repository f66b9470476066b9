/**
 * Cuts differences into batches of states, each small enough for one transaction. The cuts depend on what is different
 * alone. So a follower that was killed after some of the batches makes the same others again.
 */
import { hash } from 'node:crypto'
import { sha1Base36 } from '../domain/file.js'
import type {
  PresentPage,
  ShownRevision,
  UpstreamFile,
  UpstreamName,
  UpstreamPage,
  UpstreamRevision,
  UpstreamStates,
} from '../domain/upstream.js'
import type { MirrorReader } from '../storage/upstream/mirrorReader.js'
import type { RevisionFacts } from './api/answers.js'
import type { Upstream } from './api/upstream.js'
import { targetIn } from './compare.js'
import { NOTHING } from './cursor.js'
import { type FetchTools, stateOfFile } from './files.js'
import type { PagePlan, Plan, PresentPlan } from './plan.js'

const MOST_REVISIONS = 200
const MOST_TEXT_BYTES = 2 * 2 ** 20
/** Estimated time of a transaction, without its flush. Edits of other processes wait for it. */
const MOST_WORK_MS = 90
/** As measured: most of the work is the search index, once for each page. */
const PAGE_MS = 0.7
const REVISION_MS = 0.4
const MS_PER_KB = 0.3
/** Kinds of differences of a page, in the order of its pieces. */
const KINDS = ['take', 'add', 'change', 'remove'] as const

export async function* batchesOf(plan: Plan, tools: FetchTools): AsyncGenerator<UpstreamStates> {
  yield* smallBatches(plan, tools)
  for (const pieces of groupsOf(plan.pages, tools.mirror)) {
    const lacking = pieces.flatMap((piece) => ('gone' in piece ? [] : lackingTexts(piece, tools.mirror)))
    const texts = await fetchTexts(lacking, tools.upstream)
    const pages = pieces.map((piece) => stateOf(piece, texts, tools.mirror))
    yield { ...NOTHING, pages, renames: renamesIn(plan, pages) }
  }
}

/** States that are no pages. */
async function* smallBatches(plan: Plan, tools: FetchTools): AsyncGenerator<UpstreamStates> {
  if (plan.bots !== undefined) yield { ...NOTHING, bots: plan.bots }
  for (let at = 0; at < plan.protections.length; at += MOST_REVISIONS) {
    const some = plan.protections.slice(at, at + MOST_REVISIONS)
    yield { ...NOTHING, protections: some.map(({ title, protection }) => ({ ...title, ...protection })) }
  }
  for (let at = 0; at < plan.files.length; at += MOST_REVISIONS) {
    const files: UpstreamFile[] = []
    for (const file of plan.files.slice(at, at + MOST_REVISIONS)) files.push(await stateOfFile(file, tools))
    yield { ...NOTHING, files }
  }
}

/** The pieces of one batch after the other. A page with many differences is in several. */
function* groupsOf(plans: readonly PagePlan[], mirror: MirrorReader): Generator<PagePlan[]> {
  let group: PagePlan[] = []
  let [count, bytes, work] = [0, 0, 0]
  for (const plan of plans) {
    for (const piece of 'gone' in plan ? [plan] : piecesOf(plan)) {
      const size = textBytes(piece, mirror)
      const isFull = count === MOST_REVISIONS || bytes + size > MOST_TEXT_BYTES || work > MOST_WORK_MS
      if (group.length > 0 && isFull) {
        yield group
        group = []
        count = bytes = work = 0
      }
      work += REVISION_MS + (group.at(-1)?.id === piece.id ? 0 : PAGE_MS + (MS_PER_KB * size) / 1000)
      push(group, piece)
      count++
      bytes += size
    }
  }
  if (group.length > 0) yield group
}

/** A batch has at most one state of a page. */
function push(group: PagePlan[], piece: PagePlan): void {
  const last = group.at(-1)
  if (last === undefined || last.id !== piece.id || 'gone' in last || 'gone' in piece) group.push(piece)
  else group[group.length - 1] = joined(last, piece)
}

/** One piece for each difference; one without any for a page that has only another title or latest revision. */
function piecesOf(plan: PresentPlan): PresentPlan[] {
  const none = { ...plan, take: [], add: [], change: [], remove: [] }
  const pieces = KINDS.flatMap((kind) => plan[kind].map((each) => ({ ...none, [kind]: [each] })))
  return pieces.length === 0 ? [none] : pieces
}

const joined = (one: PresentPlan, other: PresentPlan): PresentPlan => ({
  ...one,
  ...Object.fromEntries(KINDS.map((kind) => [kind, [...one[kind], ...other[kind]]])),
})

/**
 * Bytes of the texts of a piece, those that another revision has among them: whether the mirror has that one already
 * depends on the batches before.
 */
function textBytes(piece: PagePlan, mirror: MirrorReader): number {
  if ('gone' in piece) return 0
  const shown = piece.change.filter((facts) => isShownAgain(facts, mirror))
  return [...piece.add, ...shown].reduce(
    (sum, { sha1, sizeBytes }) => sum + (sha1 === undefined ? 0 : sizeBytes),
    0,
  )
}

const isShownAgain = ({ id, sha1 }: RevisionFacts, mirror: MirrorReader): boolean =>
  sha1 !== undefined && mirror.revision(id)?.sha1 === undefined

/** Revisions of a piece whose texts the mirror does not have. */
function lackingTexts(piece: PresentPlan, mirror: MirrorReader): RevisionFacts[] {
  const seen = new Map<string, number>()
  const added = piece.add.filter((facts) => {
    const isKnown = facts.sha1 === undefined || twinOf(facts, piece, seen, mirror) !== undefined
    if (facts.sha1 !== undefined) seen.set(facts.sha1, facts.id)
    return !isKnown
  })
  return [...added, ...piece.change.filter((facts) => isShownAgain(facts, mirror))]
}

/** A revision of the page with the same text: the parent, the latest, or one that comes before in the same piece. */
function twinOf(
  { sha1, parentId }: RevisionFacts,
  piece: PresentPlan,
  earlier: ReadonlyMap<string, number>,
  mirror: MirrorReader,
): number | undefined {
  const inPiece = earlier.get(sha1!)
  if (inPiece !== undefined) return inPiece
  const latest = mirror.page(piece.id)?.latestId ?? 0
  return [parentId, latest].find((id) => {
    const known = id === 0 ? undefined : mirror.revision(id)
    return known?.pageId === piece.id && known.sha1 === sha1
  })
}

function stateOf(piece: PagePlan, texts: ReadonlyMap<number, string>, mirror: MirrorReader): UpstreamPage {
  if ('gone' in piece) return piece
  const { id, facts, take, remove, change } = piece
  const add = addedTo(piece, texts, mirror)
  const page: PresentPage = {
    id,
    ...facts.title,
    latestId: facts.latestId,
    redirectTarget: null,
    add,
    take,
    remove,
    change: change.flatMap((revision) => shown(revision, texts, mirror)),
  }
  return facts.isRedirect ? { ...page, redirectTarget: targetOf(page, mirror) } : page
}

function addedTo(
  piece: PresentPlan,
  texts: ReadonlyMap<number, string>,
  mirror: MirrorReader,
): UpstreamRevision[] {
  const earlier = new Map<string, number>()
  return piece.add.map((facts) => {
    const { id, sha1, parentId } = facts
    const twin = sha1 === undefined ? undefined : twinOf(facts, piece, earlier, mirror)
    if (sha1 !== undefined && (twin !== undefined || texts.has(id))) earlier.set(sha1, id)
    return {
      id,
      parentId: parentId === 0 ? undefined : parentId,
      timestamp: facts.timestamp,
      editor: facts.editor,
      comment: facts.comment,
      minor: facts.minor,
      contentModel: facts.contentModel,
      text: twin === undefined ? texts.get(id) : undefined,
      statedSizeBytes: facts.sizeBytes,
      statedSha1: sha1 === undefined ? undefined : sha1Base36(sha1),
      ...(twin !== undefined && { sameTextAs: twin }),
    }
  })
}

/** Nothing for a revision whose text should be shown again, and that the wiki does not send. */
function shown(
  { id, editor, comment, sha1 }: RevisionFacts,
  texts: ReadonlyMap<number, string>,
  mirror: MirrorReader,
): ShownRevision[] {
  const isTextShown = sha1 !== undefined
  if (!isTextShown || mirror.revision(id)?.sha1 !== undefined) return [{ id, editor, comment, isTextShown }]
  const text = texts.get(id)
  return text === undefined ? [] : [{ id, editor, comment, isTextShown, text }]
}

/** Target of a redirect, from the text of its latest revision. */
function targetOf({ id, latestId, add, change }: PresentPage, mirror: MirrorReader): string | null {
  const ofRevision = (revisionId: number): UpstreamRevision | undefined =>
    add.find((revision) => revision.id === revisionId)
  const { text: added, sameTextAs } = ofRevision(latestId) ?? {}
  const text =
    added ??
    (sameTextAs === undefined ? undefined : (ofRevision(sameTextAs)?.text ?? mirror.text(sameTextAs))) ??
    change.find((revision) => revision.id === latestId)?.text ??
    mirror.text(latestId)
  return targetIn(text) ?? mirror.page(id)?.redirectTarget ?? null
}

/** The renames behind the changes of a batch. Each batch names its own, so that it depends on no other. */
function renamesIn({ renames }: Plan, pages: readonly UpstreamPage[]): UpstreamName[] {
  if (renames.length === 0) return []
  const ids = new Set(
    pages.flatMap((page) => ('gone' in page ? [] : page.change.map(({ editor }) => editor?.id))),
  )
  return renames.filter(({ userId }) => ids.has(userId))
}

/**
 * Texts by revision id; those that the wiki does not send are absent. A text with another SHA-1 than stated is asked
 * for again, and then kept and named.
 */
async function fetchTexts(
  revisions: readonly RevisionFacts[],
  upstream: Upstream,
): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>()
  for (const { id, text } of revisions) if (text !== undefined) texts.set(id, text)
  const take = async (ids: readonly number[]): Promise<number[]> => {
    for (const [id, text] of await upstream.texts(ids)) texts.set(id, text)
    return revisions.filter((facts) => isWrong(facts, texts.get(facts.id))).map(({ id }) => id)
  }
  const wrong = await take(revisions.flatMap(({ id, text }) => (text === undefined ? [id] : [])))
  for (const id of wrong.length === 0 ? [] : await take(wrong))
    upstream.omit(`revision ${id}: its SHA-1 differs from the one stated; the text was taken over`)
  return texts
}

const isWrong = ({ sha1 }: RevisionFacts, text: string | undefined): boolean =>
  text !== undefined && sha1 !== undefined && hash('sha1', text) !== sha1
