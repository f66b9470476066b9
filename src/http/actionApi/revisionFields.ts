/** Fields of revisions in answers of several modules, and texts of sections. */
import type { Editor } from '../../domain/revision.js'
import { formatTimestamp } from '../../domain/timestamp.js'
import { parseTitle, prefixedKey, type Title } from '../../domain/title.js'
import { commentHtml } from '../../reader/views/comment.js'
import { REVERT_TAGS } from '../../storage/sqlTables/statedMarks.js'
import type { RevisionRow } from '../../storage/store.js'
import type { ActionCall } from './frame/call.js'
import { ActionError, shown } from './frame/problems.js'
import { type Fields, named } from './frame/values.js'
import { addressesOf } from './addresses.js'

export const REVISION_PROPERTIES = [
  'ids',
  'flags',
  'timestamp',
  'user',
  'userid',
  'size',
  'slotsize',
  'sha1',
  'slotsha1',
  'contentmodel',
  'comment',
  'parsedcomment',
  'content',
  'tags',
  'roles',
  'parsetree',
] as const
export type RevisionProperty = (typeof REVISION_PROPERTIES)[number]

const FORMATS: Readonly<Record<string, string>> = {
  wikitext: 'text/x-wiki',
  css: 'text/css',
  'sanitized-css': 'text/css',
  javascript: 'text/javascript',
  json: 'application/json',
}
export const contentFormat = (model: string): string => FORMATS[model] ?? 'text/plain'

/** Comment and user; undefined ones are hidden. */
export interface Shown {
  readonly comment: string | undefined
  readonly user: Editor | undefined
}

export function shownOf(revision: Pick<RevisionRow, 'json'>): Shown {
  const { comment, user } = JSON.parse(revision.json.toString()) as {
    comment: string | null
    user: Editor | null
  }
  return { comment: comment ?? undefined, user: user ?? undefined }
}

/** The editor of a revision or an upload. */
export function userFields(user: Editor | undefined, wanted: { user: boolean; userid: boolean }): Fields {
  if (!wanted.user && !wanted.userid) return {}
  if (user === undefined) return { userhidden: true }
  const isAddress = user.id === null
  return {
    ...(wanted.user && { user: user.name }),
    ...(wanted.userid && { userid: user.id ?? 0 }),
    ...(isAddress && { anon: true }),
  }
}

/** A summary as HTML; links lead to pages of this wiki. */
export function parsedComment(
  comment: string,
  title: Title | undefined,
  call: Pick<ActionCall, 'baseUrl'> & {
    readonly wiki: Pick<ActionCall['wiki'], 'namespaces'>
    readonly context: { readonly root: string }
  },
): string {
  const { namespaces } = call.wiki
  const { links } = addressesOf(call)
  const page = title === undefined ? '' : links.page(prefixedKey(title, namespaces))
  const linkTo = (text: string): string | undefined => {
    const parsed = parseTitle(text, namespaces)
    return parsed.ok ? links.page(prefixedKey(parsed.title, namespaces)) : undefined
  }
  return commentHtml(comment, page, linkTo).text
}

/** The text of a revision as the answer shows it. */
export interface Content {
  readonly text: string | undefined
}

interface FieldOptions {
  readonly wanted: ReadonlySet<RevisionProperty>
  /** Undefined: the old form, with content in the revision itself. */
  readonly slots: ReadonlySet<string> | undefined
  /** Present if the text is wanted. */
  readonly content: Content | undefined
}

export function revisionFields(
  revision: RevisionRow,
  title: Title,
  { wanted, slots, content }: FieldOptions,
  call: ActionCall,
): Fields {
  const { comment, user } = shownOf(revision)
  const { textHidden } = revision
  const sha1 = revision.sha1.toString('hex')
  const isSha1Known = !textHidden
  const comments = wanted.has('comment') || wanted.has('parsedcomment')
  return {
    ...(wanted.has('ids') && { revid: revision.id, parentid: revision.parentId }),
    ...(wanted.has('flags') && { minor: revision.minor }),
    ...userFields(user, { user: wanted.has('user'), userid: wanted.has('userid') }),
    ...(wanted.has('timestamp') && { timestamp: formatTimestamp(revision.timestamp) }),
    ...(wanted.has('size') && { size: revision.sizeBytes ?? 0 }),
    ...(wanted.has('sha1') && (isSha1Known ? { sha1 } : { sha1hidden: true })),
    ...(wanted.has('roles') && { roles: ['main'] }),
    ...(comments && comment === undefined && { commenthidden: true }),
    ...(wanted.has('comment') && comment !== undefined && { comment }),
    ...(wanted.has('parsedcomment') &&
      comment !== undefined && { parsedcomment: parsedComment(comment, title, call) }),
    ...(wanted.has('tags') && { tags: tagsOf(revision, call) }),
    ...slotFields(revision, { wanted, slots, content }),
  }
}

/** Tags of the imported table. The store itself notices reverts alone. */
export function tagsOf({ id, reverted }: RevisionRow, { context }: ActionCall): readonly string[] {
  const stated = context.store.imported.tagsOf(id)
  const isNoticed = reverted && !stated.some((tag) => REVERT_TAGS.has(tag))
  return isNoticed ? [...stated, 'mw-manual-revert'] : stated
}

const OF_SLOTS = ['slotsize', 'slotsha1', 'contentmodel', 'content'] as const

function slotFields(revision: RevisionRow, { wanted, slots, content }: FieldOptions): Fields {
  if (!OF_SLOTS.some((property) => wanted.has(property))) return {}
  const { textHidden, contentModel } = revision
  const sha1 = revision.sha1.toString('hex')
  const ofSlot = {
    ...(wanted.has('slotsize') && { size: revision.sizeBytes ?? 0 }),
    ...(wanted.has('slotsha1') && (textHidden ? { sha1hidden: true } : { sha1 })),
    ...(wanted.has('contentmodel') && { contentmodel: contentModel }),
    ...(content && contentFields(content, contentModel)),
  }
  if (slots === undefined) return ofSlot
  return { slots: slots.has('main') ? { main: named('content', ofSlot) } : {} }
}

function contentFields({ text }: Content, model: string): Fields {
  if (text === undefined) return { texthidden: true }
  return { contentmodel: model, contentformat: contentFormat(model), content: text }
}

/** The text of a section. Throws a nosuchsection, or an invalidsection. */
export async function sectionText(
  revisionId: number,
  section: string,
  { context }: ActionCall,
  missing: (section: string) => ActionError,
): Promise<string | undefined> {
  const number = sectionNumber(section)
  const found = await context.pool.run('sectionText', { of: { revisionId }, section: number })
  if (found === 'no-section') throw missing(shown(section))
  return found === undefined ? undefined : Buffer.from(found).toString()
}

/** Throws an invalidsection. */
export function sectionNumber(section: string): number {
  const number = /^(?:T-)?(\d{1,9})$/.exec(section)?.[1]
  if (number === undefined)
    throw new ActionError('invalidsection', 'The "section" parameter must be a valid section ID or "new".')
  return Number(number)
}
