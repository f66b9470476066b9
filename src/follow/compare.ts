/** Compares single things of the wiki with those of the mirror. Pure. */
import type { FileFacts } from '../domain/file.js'
import { redirectTarget } from '../domain/redirect.js'
import { titleId } from '../domain/title.js'
import type { MirrorPage, MirrorReader, MirrorRevision } from '../storage/upstream/mirrorReader.js'
import type { PageFacts, RevisionFacts, StatedProtection } from './api/answers.js'

/** True if a revision is of another page, or shows other parts. */
export const isRevisionOther = (known: MirrorRevision, facts: RevisionFacts): boolean =>
  known.pageId !== facts.pageId || showsOther(known, facts)

/** True if a revision shows other parts, or another name of its editor. Its text never becomes another one. */
export function showsOther(known: MirrorRevision, { editor, comment, sha1 }: RevisionFacts): boolean {
  const isTextOther = (known.sha1 === undefined) !== (sha1 === undefined)
  return isTextOther || known.comment !== comment || isUserOther(known.editor, editor)
}

const isUserOther = (known: FileFacts['uploader'], stated: FileFacts['uploader']): boolean =>
  known?.name !== stated?.name || (known?.id ?? null) !== (stated?.id ?? null)

/** True if the wiki states another title, latest revision or kind of page. */
export function isPageOther(known: MirrorPage | undefined, facts: PageFacts, mirror: MirrorReader): boolean {
  if (known?.title === undefined) return true
  if (titleId(known.title) !== titleId(facts.title) || known.latestId !== facts.latestId) return true
  if (!facts.isRedirect) return known.redirectTarget !== null
  return known.redirectTarget === null && targetIn(mirror.text(facts.latestId)) !== null
}

/** Null where the text names no target: pages of other content models redirect in other ways. */
export const targetIn = (text: string | undefined): string | null =>
  text === undefined ? null : (redirectTarget(text) ?? null)

const PROTECTION = ['edit', 'create', 'expires', 'move', 'moveExpires', 'cascades'] as const

export const isProtectionOther = (known: StatedProtection, stated: StatedProtection): boolean =>
  PROTECTION.some((field) => known[field] !== stated[field])

/** Compares what the wiki states. Contents, and what follows from them, are the mirror's own. */
export const isFileOther = (known: FileFacts | undefined, stated: FileFacts): boolean =>
  known === undefined ||
  known.sha1 !== stated.sha1 ||
  known.sizeBytes !== stated.sizeBytes ||
  known.timestamp !== stated.timestamp ||
  isUserOther(known.uploader, stated.uploader) ||
  (known.sha256 === null && (known.width !== stated.width || known.height !== stated.height))
