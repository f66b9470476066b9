/** Writes the pages of a store as an XML dump: what readers may see, page after page by their ids. */
import type { Editor } from '../domain/revision.js'
import { prefixedText, type Title } from '../domain/title.js'
import type { RevisionAnchor } from '../storage/pages/history.js'
import type { RevisionText } from '../storage/pages/pageLists.js'
import type { PageSummary, Store } from '../storage/store.js'
import { isIP } from 'node:net'
import { SANITIZED_CSS, SCRIBUNTO } from '../domain/contentModel.js'
import { sha1Base36 } from '../domain/file.js'
import type { Site } from '../domain/site.js'
import { formatTimestamp } from '../domain/timestamp.js'

export interface ExportOptions {
  readonly store: Store
  /** Name and version of this program. */
  readonly generator: string
  /** Only the latest revision of each page. */
  readonly current: boolean
  /** Numbers of the namespaces to export; undefined: all. */
  readonly namespaces: ReadonlySet<number> | undefined
  /** Pages to export, in this order; undefined: all. Each must exist, or is left out. */
  readonly titles: readonly Title[] | undefined
}

export interface ExportCounts {
  pages: number
  revisions: number
  /** Revisions whose size counts slots other than main. The store has no text of these. */
  otherSlots: number
  /** The id of the page that was written last, and the highest one that there is. */
  pageId: number
  lastPageId: number
}

/** Revisions to read at once: their texts are in memory together. */
const REVISIONS = 32
/** Characters to hand over at once. */
const CHUNK_LENGTH = 2 ** 16

/**
 * The dump in pieces. Each page is as it is when its turn comes, and a long history as it is in each of its parts.
 * `counts` is kept up to date.
 */
export function* exportDump(options: ExportOptions, counts: ExportCounts): Generator<string, void> {
  const { store, generator, namespaces } = options
  store.refresh()
  counts.lastPageId = store.counters().nextPageId - 1
  let chunk = dumpHead(store.site(), generator)
  for (const pageId of options.titles === undefined ? store.lists.pageIds() : idsOf(store, options.titles)) {
    store.refresh()
    const page = store.getPageById(pageId)
    if (page === undefined || namespaces?.has(page.namespace) === false) continue
    for (const piece of pageXml(options, page, counts)) {
      chunk += piece
      if (chunk.length < CHUNK_LENGTH) continue
      yield chunk
      chunk = ''
    }
    counts.pages++
    counts.pageId = pageId
  }
  yield chunk + DUMP_END
}

function* idsOf(store: Store, titles: readonly Title[]): Generator<number, void> {
  for (const { namespace, dbkey } of titles) {
    const page = store.getPage(namespace, dbkey)
    if (page !== undefined) yield page.pageId
  }
}

function* pageXml(
  { store, current }: ExportOptions,
  { pageId, namespace, dbkey, redirectTarget, latestId }: PageSummary,
  counts: ExportCounts,
): Generator<string, void> {
  const fullTitle = prefixedText({ namespace, dbkey }, store.namespaces())
  yield pageHead({ fullTitle, namespace, id: pageId, redirectTarget })
  const latest = current ? store.getRevision(latestId) : undefined
  if (latest !== undefined) yield xmlOf({ ...latest, text: store.getText(latestId) }, counts)
  let newerThan: RevisionAnchor | undefined = current ? undefined : { id: 0, pageId, timestamp: 0 }
  while (newerThan !== undefined) {
    const { revisions, hasNewer } = store.lists.texts(pageId, newerThan, REVISIONS)
    for (const revision of revisions) yield xmlOf(revision, counts)
    newerThan = hasNewer ? revisions.at(-1) : undefined
  }
  yield PAGE_END
}

function xmlOf(revision: RevisionText, counts: ExportCounts): string {
  const { json, text, sizeBytes, hasOtherSlots, userHidden, commentHidden } = revision
  const { user, comment } = JSON.parse(json.toString()) as { user: Editor | null; comment: string | null }
  counts.revisions++
  if (hasOtherSlots) counts.otherSlots++
  return revisionXml({
    ...revision,
    editor: userHidden ? undefined : (user ?? undefined),
    comment: commentHidden ? undefined : (comment ?? ''),
    sizeBytes: text === undefined ? sizeBytes : Buffer.byteLength(text),
  })
}

// The elements of an XML dump, schema 0.11, as `import` here and importDump of MediaWiki read them. Parts that readers
// may not see are written as `deleted`.

interface XmlPage {
  readonly fullTitle: string
  readonly namespace: number
  readonly id: number
  readonly redirectTarget: string | undefined
}

interface XmlRevision {
  readonly id: number
  /** 0: none, or unknown. */
  readonly parentId: number
  /** Seconds since 1970. */
  readonly timestamp: number
  /** Undefined: hidden. */
  readonly editor: Editor | undefined
  readonly minor: boolean
  /** Undefined: hidden. */
  readonly comment: string | undefined
  readonly contentModel: string
  /** Undefined: hidden. */
  readonly text: string | undefined
  /** Of the main text; undefined: unknown. */
  readonly sizeBytes: number | undefined
  /** Of the text, 20 bytes; empty if it is hidden. */
  readonly sha1: Buffer
}

const NAMESPACE_URI = 'http://www.mediawiki.org/xml/export-0.11/'
const FORMATS: Readonly<Record<string, string>> = {
  css: 'text/css',
  javascript: 'text/javascript',
  json: 'application/json',
  text: 'text/plain',
  [SANITIZED_CSS]: 'text/css',
  [SCRIBUNTO]: 'text/plain',
}
const WIKITEXT_FORMAT = 'text/x-wiki'

/** The beginning up to the first page. `generator` names the program and its version. */
function dumpHead(site: Site, generator: string): string {
  const namespaces = [...site.namespaces]
    .sort((a, b) => a.id - b.id)
    .map(({ id, name, case: ofTitles }) => {
      const attributes = `key="${id}" case="${ofTitles}"`
      return name === ''
        ? `<namespace ${attributes} />`
        : `<namespace ${attributes}>${escape(name)}</namespace>`
    })
  return `<mediawiki xmlns="${NAMESPACE_URI}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${NAMESPACE_URI} http://www.mediawiki.org/xml/export-0.11.xsd" version="0.11" xml:lang="${escape(site.language)}">
  <siteinfo>
    <sitename>${escape(site.name)}</sitename>
    <dbname>${escape(site.wikiId)}</dbname>
    <base>${escape(site.base)}</base>
    <generator>${escape(generator)}</generator>
    <case>${site.case}</case>
    <namespaces>
      ${namespaces.join('\n      ')}
    </namespaces>
  </siteinfo>
`
}

const DUMP_END = '</mediawiki>\n'

function pageHead({ fullTitle, namespace, id, redirectTarget }: XmlPage): string {
  const redirect = redirectTarget === undefined ? '' : `    <redirect title="${escape(redirectTarget)}" />\n`
  return `  <page>
    <title>${escape(fullTitle)}</title>
    <ns>${namespace}</ns>
    <id>${id}</id>
${redirect}`
}

const PAGE_END = '  </page>\n'

function revisionXml(revision: XmlRevision): string {
  const { id, parentId, timestamp, minor, comment, contentModel } = revision
  const parent = parentId === 0 ? '' : `      <parentid>${parentId}</parentid>\n`
  return `    <revision>
      <id>${id}</id>
${parent}      <timestamp>${formatTimestamp(timestamp)}</timestamp>
${contributor(revision)}${minor ? '      <minor />\n' : ''}${commentXml(comment)}      <origin>${id}</origin>
      <model>${escape(contentModel)}</model>
      <format>${FORMATS[contentModel] ?? WIKITEXT_FORMAT}</format>
${textXml(revision)}    </revision>
`
}

/** A name without an account is an address, or comes from another wiki. */
function contributor({ editor }: XmlRevision): string {
  if (editor === undefined) return '      <contributor deleted="deleted" />\n'
  const name = escape(editor.name)
  const inner =
    editor.id === null && isIP(editor.name) !== 0
      ? `        <ip>${name}</ip>\n`
      : `        <username>${name}</username>\n        <id>${editor.id ?? 0}</id>\n`
  return `      <contributor>\n${inner}      </contributor>\n`
}

function commentXml(comment: string | undefined): string {
  if (comment === undefined) return '      <comment deleted="deleted" />\n'
  return comment === '' ? '' : `      <comment>${escape(comment)}</comment>\n`
}

function textXml({ text, sizeBytes, sha1 }: XmlRevision): string {
  const bytes = sizeBytes === undefined ? '' : ` bytes="${sizeBytes}"`
  if (text === undefined) return `      <text${bytes} deleted="deleted" />\n      <sha1 />\n`
  const hash = sha1Base36(sha1.toString('hex'))
  const attributes = `${bytes} sha1="${hash}" xml:space="preserve"`
  const element = text === '' ? `<text${attributes} />` : `<text${attributes}>${escape(text)}</text>`
  return `      ${element}\n      <sha1>${hash}</sha1>\n`
}

/** Characters that XML 1.0 forbids, in any form. */
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
const SPECIAL = /[&<>"\r\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

/** Text for elements and attributes. A forbidden character becomes U+FFFD, as in dumps of MediaWiki. */
function escape(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')
    .replace(FORBIDDEN, '\ufffd')
}
