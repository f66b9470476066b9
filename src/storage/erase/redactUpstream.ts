/**
 * Takes erased words out of an entry with states of a followed wiki. A later entry of the log hides the parts or
 * removes the page, and must have the same effect in a replay. So texts become spaces, and comments empty.
 */
import { FILE } from '../../domain/namespaceIds.js'
import type { ShownRevision, UpstreamPage, UpstreamRevision } from '../../domain/upstream.js'
import type { UpstreamEntry } from '../entries/entries.js'
import { changed, changedList } from './changed.js'
import type { WordsAt } from './erasedWords.js'

/** The text of a revision, if the store has it. */
export type ReadText = (revisionId: number) => string | undefined

export function redactUpstream(entry: UpstreamEntry, words: WordsAt, readText: ReadText): UpstreamEntry {
  const { bots, site } = entry
  return changed(entry, {
    pages: changedList(entry.pages, (page) => redactPage(page, words, readText)),
    files: changedList(entry.files, (file) => {
      const uploader = file.facts?.uploader && words.editorOf(file.facts.uploader)
      return changed(file, {
        dbkey: words.dbkeyOf({ namespace: FILE, dbkey: file.dbkey }),
        facts: file.facts && changed(file.facts, { uploader: uploader ?? file.facts.uploader }),
      })
    }),
    protections: changedList(entry.protections, (state) => changed(state, { dbkey: words.dbkeyOf(state) })),
    renames: changedList(entry.renames, (rename) => changed(rename, { name: words.nameOf(rename.name) })),
    ...(bots && { bots: changedList(bots, (name) => words.nameOf(name)) }),
    ...(site && {
      site: changed(site, { bots: changedList(site.bots, (name) => words.nameOf(name)) }),
    }),
  })
}

function redactPage(page: UpstreamPage, words: WordsAt, readText: ReadText): UpstreamPage {
  if ('gone' in page) return page
  const dbkey = words.dbkeyOf(page, page.id)
  const isRedirect = page.redirectTarget !== null
  return changed(page, {
    dbkey,
    redirectTarget: isRedirect && words.isPageGone(page.id) ? dbkey : page.redirectTarget,
    add: changedList(page.add, (revision) => redactAdded(revision, words, readText)),
    change: changedList(page.change, (revision) => redactShown(revision, words)),
  })
}

function redactAdded(revision: UpstreamRevision, words: WordsAt, readText: ReadText): UpstreamRevision {
  const { id, text, sameTextAs, statedSizeBytes } = revision
  const named = redactNames(revision, words)
  const isHidden = text === undefined && sameTextAs === undefined
  if (isHidden) return named
  if (words.isPartGone(id, 'text')) {
    const blank = blankOf(text, statedSizeBytes)
    if (text === blank) return named
    const { sameTextAs: _same, ...rest } = named
    return { ...rest, text: blank, statedSha1: undefined }
  }
  if (sameTextAs === undefined || !words.isPartGone(sameTextAs, 'text')) return named
  // The text stays, but the revision with which it came has lost it.
  const { sameTextAs: _same, ...rest } = named
  return { ...rest, text: readText(id) ?? blankOf(undefined, statedSizeBytes) }
}

function redactShown(revision: ShownRevision, words: WordsAt): ShownRevision {
  const named = redactNames(revision, words)
  const { text } = revision
  const isGone = text !== undefined && words.isPartGone(revision.id, 'text')
  return isGone ? changed(named, { text: blankOf(text, undefined) }) : named
}

function redactNames<T extends UpstreamRevision | ShownRevision>(revision: T, words: WordsAt): T {
  const { id, comment, editor } = revision
  const parts: Partial<UpstreamRevision & ShownRevision> = {
    comment: comment !== undefined && words.isPartGone(id, 'comment') ? '' : comment,
    editor: editor && words.editorOf(editor),
  }
  return changed(revision, parts as Partial<T>)
}

/** As many spaces as the text has bytes. */
const blankOf = (text: string | undefined, sizeBytes: number | undefined): string =>
  ' '.repeat(text === undefined ? Math.max(0, sizeBytes ?? 0) : Buffer.byteLength(text))
