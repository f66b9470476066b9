/** The text and the comment that `action=edit` saves: a whole text, an addition, a section, or an undone edit. */
import type { RevisionRow } from '../../../storage/store.js'
import { USER_TALK } from '../../../domain/namespaceIds.js'
import { readText } from '../../../wiki/readText.js'
import type { ActionCall } from '../frame/call.js'
import { ActionError } from '../frame/problems.js'
import { sectionNumber, sectionText, shownOf } from '../revisionFields.js'

export interface EditWish {
  readonly text: string | undefined
  readonly appendtext: string | undefined
  readonly prependtext: string | undefined
  readonly section: string | undefined
  readonly sectiontitle: string | undefined
  readonly summary: string | undefined
  readonly undo: number | undefined
  readonly undoafter: number | undefined
}

export interface EditedText {
  readonly source: string
  /** Undefined: the server writes it. */
  readonly comment: string | undefined
}

/** `base` is the revision that the client started from, `latest` the newest. Undefined: the page is new. */
export async function editedText(
  wish: EditWish,
  { base, latest }: { readonly base: RevisionRow | undefined; readonly latest: RevisionRow | undefined },
  call: ActionCall,
): Promise<EditedText> {
  const { section, summary } = wish
  if (isUndo(wish)) return undone(wish, latest, call)
  if (section === 'new') return withNewSection(wish, latest, call)
  if (section !== undefined)
    return { source: await withOtherSection(section, wish, base, call), comment: summary }
  if (!isAddition(wish)) return { source: wish.text ?? '', comment: summary }
  const present = latest && (await readText(call.context, latest))
  return { source: around(present ?? '', wish), comment: summary }
}

/** 0 undoes nothing. */
export const isUndo = ({ undo }: Pick<EditWish, 'undo'>): boolean => undo !== undefined && undo > 0

const isAddition = ({ appendtext, prependtext }: EditWish): boolean =>
  appendtext !== undefined || prependtext !== undefined

const around = (text: string, { prependtext = '', appendtext = '' }: EditWish): string =>
  prependtext + text + appendtext

// -- Sections ----------------------------------------------------------------------------------------------------

/** Content models whose pages have sections. */
const WITH_SECTIONS = ['wikitext', 'text']

function requireSections(revision: RevisionRow | undefined): void {
  const model = revision?.contentModel ?? 'wikitext'
  if (!WITH_SECTIONS.includes(model))
    throw new ActionError('sectionsnotsupported', `Sections are not supported for content model ${model}.`)
}

async function withNewSection(
  wish: EditWish,
  latest: RevisionRow | undefined,
  call: ActionCall,
): Promise<EditedText> {
  requireSections(latest)
  const { sectiontitle, summary } = wish
  const added = isAddition(wish) ? around('', wish) : (wish.text ?? '')
  const heading = sectiontitle ?? summary ?? ''
  const part = heading === '' ? added : `== ${heading} ==\n\n${added}`
  const present = (latest && (await readText(call.context, latest))) ?? ''
  const source = present === '' ? part : `${present}\n\n${part}`
  const isNamed = summary !== undefined && sectiontitle !== undefined
  return { source, comment: isNamed || heading === '' ? summary : `/* ${heading} */ new section` }
}

/** The section is that of the base revision, so that later edits may add others before it. */
async function withOtherSection(
  section: string,
  wish: EditWish,
  base: RevisionRow | undefined,
  call: ActionCall,
): Promise<string> {
  const number = sectionNumber(section)
  const missing = (): ActionError => new ActionError('nosuchsection', `There is no section ${section}.`)
  if (base === undefined && number !== 0) throw missing()
  if (base === undefined) return isAddition(wish) ? around('', wish) : (wish.text ?? '')
  requireSections(base)
  const text = isAddition(wish)
    ? around((await sectionText(base.id, section, call, missing)) ?? '', wish)
    : (wish.text ?? '')
  const task = { of: { revisionId: base.id }, section: number, text }
  const found = await call.context.pool.run('withSection', task)
  if (found === 'no-section' || found === undefined) throw missing()
  return Buffer.from(found).toString()
}

// -- Undoing -----------------------------------------------------------------------------------------------------

/** The latest text without the changes from `undoafter` to `undo`: a merge with the other direction. */
async function undone(
  { undo = 0, undoafter, summary }: EditWish,
  latest: RevisionRow | undefined,
  call: ActionCall,
): Promise<EditedText> {
  const { pool } = call.context
  const isRange = undoafter !== undefined && undoafter > 0
  const revision = requireRevision(undo, latest, call)
  const before = requireRevision(isRange ? undoafter : revision.parentId, latest, call, undo)
  const comment = summary || (before.id === revision.parentId ? undoComment(revision, call) : undefined)
  const text = await readText(call.context, before)
  if (text === undefined || before.contentModel !== latest?.contentModel) throw cannotUndo()
  if (revision.id === latest.id) return { source: text, comment }
  const task = { baseId: revision.id, currentId: latest.id, mine: text, mayMerge: true }
  const merged = await pool.run('mergeEdit', task)
  if (merged?.clean !== true) throw cannotUndo()
  return { source: merged.text, comment }
}

/** `named` is the id that the error names. */
function requireRevision(
  id: number,
  latest: RevisionRow | undefined,
  { context }: ActionCall,
  named = id,
): RevisionRow {
  const revision = context.store.getRevision(id)
  if (revision === undefined || revision.pageId !== latest?.pageId)
    throw new ActionError('nosuchrevid', `There is no revision with ID ${id === 0 ? named : id}.`)
  return revision
}

const cannotUndo = (): ActionError =>
  new ActionError('undofailure', 'The edit could not be undone due to conflicting intermediate edits.')

function undoComment(revision: RevisionRow, { wiki }: ActionCall): string {
  const name = shownOf(revision).user?.name
  if (name === undefined) return `Undo revision ${revision.id} by a hidden user`
  const talk = wiki.namespaces.nameOf(USER_TALK) ?? 'User talk'
  return `Undo revision ${revision.id} by [[Special:Contributions/${name}|${name}]] ([[${talk}:${name}|talk]])`
}
