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
import type { FileFacts } from '../../domain/file.js'
import { FILE } from '../../domain/namespaceIds.js'
import {
  type CreateEntry,
  type EditEntry,
  type LoggedEntry,
  type SettingsEntry,
  type SiteEntry,
  type UpstreamEntry,
  type Verdict,
  decodeEntry,
  decodeEntryHead,
  encodeRedacted,
  entryHash,
  isRedacted,
} from '../entries/entries.js'
import type { WordsAt, ErasedWords } from './erasedWords.js'
import type { ShownRevision, UpstreamPage, UpstreamRevision } from '../../domain/upstream.js'
import { decodeVerdict, findEntryRow, logKey, sequenceOf, veiledId } from '../entries/logReader.js'
import type { Pair } from '../rows/keys.js'
import type { Store } from '../store.js'
import type { Tables } from '../tables/tables.js'
import { readTextBytes } from '../pages/texts.js'

interface JudgedEntry {
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
    case 'move':
      return redactMove(entry, verdict, words)
    case 'delete':
    case 'undelete':
      return redactDeletion(entry, verdict, words)
    case 'upload':
      return redactUpload(entry, verdict, words)
    case 'restrict': {
      const dbkey = words.dbkeyOf(entry)
      const isGone = dbkey !== entry.dbkey || (entry.pageId !== null && words.isPageGone(entry.pageId))
      const editor = words.editorOf(entry.editor)
      return changed(entry, { dbkey, editor, reason: isGone ? '' : entry.reason })
    }
    case 'upstream':
      return redactUpstream(entry, words, readText)
    case 'protect':
      return changed(entry, { dbkey: words.dbkeyOf(entry) })
    case 'file':
      return redactFile(entry, words)
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
    case 'events':
    case 'import':
    case 'table':
    case 'session':
    case 'gate':
      return entry
  }
}

/** Of an entry about a file, or of a part of one: the name stands for itself, whichever page has it. */
function redactFile<Named extends { readonly dbkey: string; readonly facts: FileFacts | null }>(
  file: Named,
  words: WordsAt,
): Named {
  const { dbkey, facts } = file
  const uploader = facts?.uploader && words.editorOf(facts.uploader)
  return changed(file, {
    dbkey: fileNameOf(dbkey, words),
    facts: facts && changed(facts, { uploader: uploader ?? facts.uploader }),
  } as Partial<Named>)
}

const fileNameOf = (dbkey: string, words: WordsAt): string => words.dbkeyOf({ namespace: FILE, dbkey })

type UploadEntry = Extract<LoggedEntry, { kind: 'upload' }>

function redactUpload(entry: UploadEntry, verdict: Verdict | undefined, words: WordsAt): UploadEntry {
  const text = redactText(entry, verdict, words)
  return changed(text, { file: redactFile(text.file, words) })
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

type Deletion = Extract<LoggedEntry, { kind: 'delete' | 'undelete' }>

function redactDeletion(entry: Deletion, verdict: Verdict | undefined, words: WordsAt): Deletion {
  const { pageId } = entry
  const named = changed(entry, {
    dbkey: words.dbkeyOf(entry, pageId),
    editor: words.editorOf(entry.editor),
    reason: words.isPageGone(pageId) ? '' : entry.reason,
    ...(entry.file !== undefined && { file: fileNameOf(entry.file, words) }),
  })
  const redacted =
    named.kind === 'delete' ? changed(named, { protections: redactProtections(named, words) }) : named
  if (verdict?.result === `${entry.kind}d`) return redacted
  return withVerdict(redacted, entry, verdict, isOtherGone(verdict, words))
}

/** These are of titles, whichever pages have them. */
const redactProtections = (
  { protections }: Pick<MoveEntry, 'protections'>,
  words: WordsAt,
): MoveEntry['protections'] =>
  changedList(protections, (protection) => changed(protection, { dbkey: words.dbkeyOf(protection) }))

/** A page that was in the way has lost its title in the log. */
const isOtherGone = (verdict: Verdict | undefined, words: WordsAt): boolean =>
  verdict?.result === 'exists' && words.isPage(verdict.pageId)

/** The revision, the redirect with its revision, and the reasons: each goes with what it tells of. */
function redactMove(entry: MoveEntry, verdict: Verdict | undefined, words: WordsAt): MoveEntry {
  const moved = verdict?.result === 'moved' ? verdict : undefined
  const { pageId, from, redirect, replaced, file } = entry
  const text = redactText(entry, verdict, words)
  // A refused move loses all words with the first.
  const isLost = moved === undefined && text !== entry
  const isGone = isLost || words.isPageGone(pageId)
  const isReasonGone = isGone || (moved !== undefined && words.isPartGone(moved.revisionId, 'comment'))
  const isWayGone = isGone || (replaced !== null && words.isPageGone(replaced.pageId))
  const redacted = changed(text, {
    dbkey: words.dbkeyOf(entry, pageId),
    from: changed(from, { dbkey: words.dbkeyOf(from, pageId) }),
    reason: isReasonGone ? '' : entry.reason,
    redirect: redirect && redactRedirect(redirect, { made: moved?.redirect, isLost }, words),
    replaced:
      replaced &&
      changed(replaced, {
        dbkey: words.dbkeyOf(replaced, replaced.pageId),
        reason: isWayGone ? '' : replaced.reason,
      }),
    protections: redactProtections(entry, words),
    ...(file && {
      file: changed(file, { from: fileNameOf(file.from, words), to: fileNameOf(file.to, words) }),
    }),
  })
  return moved === undefined ? withVerdict(redacted, entry, verdict, isOtherGone(verdict, words)) : redacted
}

/** A change without effect keeps its verdict when words are lost: these may have told why. */
function withVerdict<Each extends LoggedEntry>(
  redacted: Each,
  entry: Each,
  verdict: Verdict | undefined,
  isOtherGone: boolean,
): Each {
  const isSame = redacted === entry && !isOtherGone
  return isSame || verdict === undefined || entry.verdict !== undefined ? redacted : { ...redacted, verdict }
}

type LeftRedirect = NonNullable<MoveEntry['redirect']>

function redactRedirect(
  redirect: LeftRedirect,
  { made, isLost }: { readonly made: MadeRedirect | undefined; readonly isLost: boolean },
  words: WordsAt,
): LeftRedirect {
  const named = changed(redirect, { dbkey: words.dbkeyOf(redirect, made?.pageId) })
  const isGone = (part: 'text' | 'comment'): boolean =>
    made === undefined ? isLost : words.isPartGone(made.revisionId, part)
  const uncommented = changed(named, { comment: isGone('comment') ? '' : named.comment })
  return isGone('text') ? withoutText(uncommented) : uncommented
}

type MadeRedirect = NonNullable<Extract<Verdict, { result: 'moved' }>['redirect']>
type MoveEntry = Extract<LoggedEntry, { kind: 'move' }>
type TextEntry = CreateEntry | EditEntry | MoveEntry | UploadEntry

function redactText<Each extends TextEntry>(entry: Each, verdict: Verdict | undefined, words: WordsAt): Each {
  const editor = words.editorOf(entry.editor)
  const pageId = verdict !== undefined && 'pageId' in verdict ? verdict.pageId : undefined
  const isTitled = entry.kind === 'create' || entry.kind === 'upload'
  const dbkey = isTitled ? { dbkey: words.dbkeyOf(entry, pageId) } : {}
  const named: Each = changed(entry, { editor, ...dbkey } as Partial<Each>)
  if (verdict?.result === 'saved' || verdict?.result === 'moved' || verdict?.result === 'uploaded') {
    const isGone = (part: 'text' | 'comment'): boolean => words.isPartGone(verdict.revisionId, part)
    const uncommented = changed(named, { comment: isGone('comment') ? '' : named.comment } as Partial<Each>)
    return isGone('text') ? withoutText(uncommented) : uncommented
  }
  if (entry.lostText !== undefined) return named
  const isNear =
    (entry.kind !== 'create' && entry.pageId !== null && words.isPage(entry.pageId)) ||
    (pageId !== undefined && words.isPage(pageId)) ||
    named !== entry
  return isNear ? { ...withoutText(named), comment: '', ...(verdict && { verdict }) } : named
}

function withoutText<Each extends Pick<TextEntry, 'text' | 'lostText'>>(entry: Each): Each {
  if (entry.lostText !== undefined) return entry
  return { ...entry, text: '', lostText: { sizeBytes: Buffer.byteLength(entry.text) } }
}

/** The text of a revision, if the store has it. */
type ReadText = (revisionId: number) => string | undefined

/**
 * Takes erased words out of an entry with states of a followed wiki. A later entry of the log hides the parts or
 * removes the page, and must have the same effect in a replay. So texts become spaces, and comments empty.
 */
function redactUpstream(entry: UpstreamEntry, words: WordsAt, readText: ReadText): UpstreamEntry {
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

export function changed<T extends object>(object: T, parts: Partial<T>): T {
  const isSame = (Object.keys(parts) as (keyof T)[]).every((name) => object[name] === parts[name])
  return isSame ? object : { ...object, ...parts }
}

function changedList<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
  const after = list.map(change)
  return after.every((item, n) => item === list[n]) ? list : after
}

// Walks over the log and takes erased words out of it, in steps.

/** A step ends after so many rows, or so many bytes. */
const ROWS_AT_ONCE = 200
const BYTES_AT_ONCE = 2 ** 20

const NO_TEXT = (): undefined => undefined

/** Yields after each step. Returns the number of rows that lost words. */
export function* redactLog(store: Store, words: ErasedWords): Generator<void, number> {
  const { tables } = store
  let next: Pair | undefined = logKey(1)
  let count = 0
  while (next !== undefined) {
    store.refresh()
    const found: Pair[] = []
    next = findRows(tables, next, words, found)
    if (found.length > 0)
      count += store.transactDerived(() => found.filter((key) => redactRow(tables, key, words)).length)
    yield
  }
  return count
}

/** Adds the keys of rows with erased words. Returns the key to go on from. */
function findRows(tables: Tables, start: Pair, words: ErasedWords, found: Pair[]): Pair | undefined {
  let rows = 0
  let bytes = 0
  for (const { key, value } of tables.log.getRange({ start })) {
    if (rows++ >= ROWS_AT_ONCE || bytes >= BYTES_AT_ONCE) return key
    bytes += value.length
    if (hasWords(tables, sequenceOf(key), value, words)) found.push(logKey(sequenceOf(key)))
  }
  return undefined
}

/** Most rows have no such words, so texts of edits are not unpacked. */
function hasWords(tables: Tables, sequence: number, row: Buffer, words: ErasedWords): boolean {
  const head = decodeEntryHead(row)
  const entry = head.kind === 'upstream' ? decodeEntry(row) : ({ text: '', ...head } as LoggedEntry)
  return redact({ entry, verdict: verdictOf(tables, entry) }, words.upTo(sequence), NO_TEXT) !== entry
}

/** The row and the verdict of an entry that loses words go to a veiled id. */
function redactRow(tables: Tables, key: Pair, words: ErasedWords): boolean {
  const row = tables.log.getBinary(key)
  const entry = row && redactedRow(tables, row, words.upTo(sequenceOf(key)))
  if (row === undefined || entry === undefined) return false
  const verdict = tables.entry.getBinary(entry.id)
  const id = isRedacted(row) ? entry.id : veiledId(entry.id)
  tables.log.putSync(key, encodeRedacted({ ...entry, id, original: entryHash(row).toString('hex') }, row))
  if (verdict !== undefined && id !== entry.id) {
    tables.entry.removeSync(entry.id)
    tables.entry.putSync(id, verdict)
  }
  return true
}

/** The entry of a row without the erased words, still with its own id; undefined if it has none of them. */
function redactedRow(tables: Tables, row: Buffer, words: WordsAt): LoggedEntry | undefined {
  const entry = decodeEntry(row)
  const readText = (id: number): string | undefined => readTextBytes(tables, id)?.toString()
  const redacted = redact({ entry, verdict: verdictOf(tables, entry) }, words, readText)
  return redacted === entry ? undefined : redacted
}

function verdictOf(tables: Tables, { id }: Pick<LoggedEntry, 'id'>): Verdict | undefined {
  const row = findEntryRow(tables, id)
  return row && decodeVerdict(row)
}
