/** Notices of an import: what it left out or repaired, and where in the dump. */
import { printable } from '../domain/printable.js'
import type { LeftOut, WarningKind } from '../dump/types.js'

/** Kinds of notices, worded for their counts: "12 pages without a title". */
export const NOTICE_KINDS = {
  'page-title': 'pages whose title is missing, empty, given twice or too long',
  'page-id': 'pages whose id is missing, given twice or not valid',
  'page-without-id': 'pages without an id, which got one here',
  'page-namespace': 'pages whose namespace is given twice or not valid',
  'page-redirect': 'pages with two redirects',
  'page-empty': 'pages without a revision that can be read',
  'page-end': 'pages in which a tag is missing',
  'page-misplaced': 'pages inside another export, or without an opening tag',
  'page-same-id': 'pages with the id of an earlier page of the dump',
  'page-same-title': 'pages with the title of an earlier page of the dump',
  'page-made-here': 'pages with the id or title of a page that was created here',
  board: 'Flow boards, whose posts the import does not read',
  'revision-id': 'revisions whose id is missing, given twice or not valid',
  'revision-without-id': 'revisions without an id, which got one here',
  'revision-parent': 'revisions whose parent is given twice or not valid',
  'revision-time': 'revisions whose time is missing, given twice or not valid',
  'revision-editor': 'revisions whose editor cannot be read',
  'revision-comment': 'revisions whose comment cannot be read',
  'revision-model': 'revisions whose content model is given twice or cannot be read',
  'revision-sha1': 'revisions whose SHA-1 is given twice or cannot be read',
  'revision-text': 'revisions whose text is missing or cannot be read',
  'revision-end': 'revisions in which a tag is missing',
  'revision-misplaced': 'revisions in no page',
  'revision-taken': 'revisions with the id of another revision',
  'revision-made-here': 'revisions with the id of an edit that was made here',
  file: 'files that cannot be read, or are too large',
  'title-invalid': 'pages that no request can name by their title, only by their revisions',
  'namespace-name': 'pages whose title has another prefix than their namespace',
  namespace: 'namespaces that the dump uses but does not declare',
  'revision-elsewhere': 'revisions that the store has under another page',
  'hidden-size': 'sizes of hidden texts or other slots that the import does not keep',
  'model-name': 'revisions whose content model is not a valid name',
  'wrong-sha1': 'texts whose SHA-1 differs from the one in the dump',
  'sha1-of-slots': 'texts that cannot be checked, since the SHA-1 in the dump may be that of several slots',
  'snapshot-line': 'lines of snapshots that cannot be read',
  'snapshot-source': 'pages of snapshots without wikitext',
  'snapshot-html': 'pages of snapshots whose HTML cannot be used',
  'table-row': 'rows of SQL tables with bytes that are not UTF-8',
  'flow-board': 'pages that are Flow boards, whose posts are in no dump of pages',
  'log-entry': 'log entries without a required part, or with values that are not valid',
  element: 'elements beside pages that the import does not read',
  'file-type': 'files of unknown type',
  characters: 'pages with characters that XML does not allow',
  format: 'export formats that are newer than this reader',
  site: 'parts of the site information that cannot be read',
} as const satisfies Record<WarningKind, string> & Record<string, string>

export type NoticeKind = keyof typeof NOTICE_KINDS

export interface Notice {
  readonly kind: NoticeKind
  /**
   * The part that is left out. Undefined: nothing is, and `reason` gives the difference. `contents`: the contents of a
   * file, whose facts stay. `row`: a row of an SQL table. `line`: a line of a snapshot. `html`: the HTML of a page.
   */
  readonly leftOut?: LeftOut | 'contents' | 'row' | 'line' | 'html' | undefined
  readonly reason: string
  /** The file in an archive; absent without an archive. */
  readonly member?: string
  /** From 1; undefined for notices without a place in the dump. */
  readonly line?: number | undefined
  readonly title?: string | undefined
  readonly pageId?: number | undefined
  readonly revisionId?: number | undefined
}

/** Longer texts, such as hostile titles, are cut. */
const MAX_LENGTH = 300

/** One line such as `line 12, page "Moon": revision 7 is left out: its <timestamp> is …`. */
export function describeNotice({ leftOut, reason, member, line, title, revisionId }: Notice): string {
  const place = [
    member === undefined ? [] : shortened(member),
    line === undefined ? [] : `line ${line}`,
    title === undefined ? [] : `page "${shortened(title)}"`,
  ].flat()
  const revision = revisionId === undefined ? 'a revision' : `revision ${revisionId}`
  const subject = {
    page: 'the page is left out: ',
    rest: 'the rest of the page is left out: ',
    revision: `${revision} is left out: `,
    row: 'a row is left out: ',
    line: 'the line is left out: ',
    html: 'its HTML is left out: ',
    file: 'a file is left out: ',
    'log entry': 'a log entry is left out: ',
    contents: 'the contents of a file are left out: ',
    nothing: revisionId === undefined ? '' : `${revision}: `,
  }[leftOut ?? 'nothing']
  return `${place.join(', ')}${place.length === 0 ? '' : ': '}${subject}${shortened(reason)}`
}

function shortened(text: string): string {
  return printable(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text)
}
