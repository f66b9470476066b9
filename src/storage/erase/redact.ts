/**
 * Takes erased words out of entries of the log. The result is an entry, too. Applied in the place of the first, it
 * leads to the same store once the entries are applied that erased the words. So it keeps the order of ids, sizes of
 * texts, and who is whom:
 *
 *     a text, a comment       empty; the size of the text stays
 *     a name, a title         a pseudonym
 *     an edit without effect  loses text and comment, and keeps its verdict
 *     a malformed entry       stays as it is: this program writes none, and nobody can tell what it means
 */
import { FILE } from '../../domain/namespaceIds.js'
import type {
  CreateEntry,
  EditEntry,
  LoggedEntry,
  SettingsEntry,
  SiteEntry,
  Verdict,
} from '../entries/entries.js'
import type { WordsAt } from './erasedWords.js'
import { changed, changedList } from './changed.js'
import { type ReadText, redactUpstream } from './redactUpstream.js'

export interface JudgedEntry {
  readonly entry: LoggedEntry
  /** Its verdict; undefined if it has no row. */
  readonly verdict: Verdict | undefined
}

/** The entry without the words; the same object if it has none of them. */
export function redact({ entry, verdict }: JudgedEntry, words: WordsAt, readText: ReadText): LoggedEntry {
  if (verdict?.result === 'invalid') return entry
  switch (entry.kind) {
    case 'create':
    case 'edit':
      return redactText(entry, verdict, words)
    case 'upstream':
      return redactUpstream(entry, words, readText)
    case 'protect':
      return changed(entry, { dbkey: words.dbkeyOf(entry) })
    case 'file': {
      const { dbkey, facts } = entry
      const uploader = facts?.uploader && words.editorOf(facts.uploader)
      return changed(entry, {
        dbkey: words.dbkeyOf({ namespace: FILE, dbkey }),
        facts: facts && changed(facts, { uploader: uploader ?? facts.uploader }),
      })
    }
    case 'user':
      return redactAccount(entry, words)
    case 'token':
      return entry.action === 'create' && words.isUser(entry.userId) ? changed(entry, { name: '' }) : entry
    case 'settings':
    case 'site':
      return redactBots(entry, words)
    case 'hide':
    case 'erase':
    case 'pages':
    case 'import':
    case 'table':
    case 'session':
    case 'gate':
      return entry
  }
}

function redactAccount(entry: Extract<LoggedEntry, { kind: 'user' }>, words: WordsAt): LoggedEntry {
  if (entry.action === 'groups') return entry
  if (entry.action === 'password')
    return words.isUser(entry.userId) ? changed(entry, { passwordHash: null }) : entry
  const name = words.nameOf(entry.name)
  return name === entry.name ? entry : { ...entry, name, passwordHash: null }
}

function redactBots(entry: SettingsEntry | SiteEntry, words: WordsAt): LoggedEntry {
  const { bots } = entry.site
  if (bots === undefined) return entry
  const names = changedList(bots, (name) => words.nameOf(name))
  return names === bots ? entry : ({ ...entry, site: { ...entry.site, bots: names } } as LoggedEntry)
}

type TextEntry = CreateEntry | EditEntry

function redactText(entry: TextEntry, verdict: Verdict | undefined, words: WordsAt): TextEntry {
  const editor = words.editorOf(entry.editor)
  const pageId = verdict !== undefined && 'pageId' in verdict ? verdict.pageId : undefined
  const dbkey = entry.kind === 'create' ? { dbkey: words.dbkeyOf(entry, pageId) } : {}
  const named: TextEntry = changed(entry, { editor, ...dbkey })
  if (verdict?.result === 'saved') {
    const isGone = (part: 'text' | 'comment'): boolean => words.isPartGone(verdict.revisionId, part)
    const uncommented = changed(named, { comment: isGone('comment') ? '' : named.comment })
    return isGone('text') ? withoutText(uncommented) : uncommented
  }
  if (entry.lostText !== undefined) return named
  const isNear =
    (entry.kind === 'edit' && words.isPage(entry.pageId)) ||
    (pageId !== undefined && words.isPage(pageId)) ||
    named !== entry
  return isNear ? { ...withoutText(named), comment: '', ...(verdict && { verdict }) } : named
}

function withoutText(entry: TextEntry): TextEntry {
  if (entry.lostText !== undefined) return entry
  return { ...entry, text: '', lostText: { sizeBytes: Buffer.byteLength(entry.text) } }
}
