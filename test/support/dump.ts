/** MediaWiki XML dumps of our own making, as small as a test needs. */
import { createHash } from 'node:crypto'

export interface DumpRevision {
  readonly id: number
  readonly text: string
  readonly parentId?: number
  readonly time?: string
  /** A name with an id, or an address. */
  readonly editor?: { readonly id: number; readonly name: string } | string
  readonly comment?: string
  readonly minor?: boolean
}

export interface DumpPage {
  readonly id: number
  readonly title: string
  readonly namespace?: number
  /** The target that the dump states. */
  readonly redirect?: string
  readonly revisions: readonly DumpRevision[]
  /** XML of `<upload>` elements. */
  readonly uploads?: readonly string[]
}

const NAMESPACES = ['Talk', 'User', 'User talk', 'Project', 'Project talk', 'File', 'File talk']

/** An export of schema 0.11 of a wiki with id `testwiki`. */
export function dumpXml(pages: readonly DumpPage[], wikiId = 'testwiki'): string {
  const declare = (name: string, id: number): string =>
    `<namespace key="${id}" case="first-letter">${name}</namespace>`
  const namespaces = [...NAMESPACES.map((name, n) => declare(name, n + 1)), declare('Category', 14)]
  return `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
  <siteinfo>
    <sitename>Test wiki</sitename><dbname>${wikiId}</dbname><base>http://wiki.example/wiki/Main_Page</base>
    <generator>test</generator><case>first-letter</case>
    <namespaces><namespace key="0" case="first-letter" />${namespaces.join('')}</namespaces>
  </siteinfo>
${pages.map(pageXml).join('\n')}
</mediawiki>
`
}

function pageXml({ id, title, namespace = 0, redirect, revisions, uploads = [] }: DumpPage): string {
  const target = redirect === undefined ? '' : `<redirect title="${escape(redirect)}" />`
  const parts = [...revisions.map(revisionXml), ...uploads].join('\n')
  return `  <page>\n    <title>${escape(title)}</title><ns>${namespace}</ns><id>${id}</id>${target}\n${parts}\n  </page>`
}

function revisionXml({ id, text, parentId, time, editor = 'Ann', comment, minor }: DumpRevision): string {
  const contributor =
    typeof editor === 'string'
      ? editor === 'Ann'
        ? '<username>Ann</username><id>1</id>'
        : `<ip>${editor}</ip>`
      : `<username>${escape(editor.name)}</username><id>${editor.id}</id>`
  const sha1 = BigInt(`0x${createHash('sha1').update(text).digest('hex')}`)
    .toString(36)
    .padStart(31, '0')
  return `    <revision><id>${id}</id>${parentId === undefined ? '' : `<parentid>${parentId}</parentid>`}
      <timestamp>${time ?? new Date(Date.UTC(2020, 0, 1) + id * 60_000).toISOString().replace('.000', '')}</timestamp>
      <contributor>${contributor}</contributor>${minor ? '<minor />' : ''}${comment === undefined ? '' : `<comment>${escape(comment)}</comment>`}
      <origin>${id}</origin><model>wikitext</model><format>text/x-wiki</format>
      <text bytes="${Buffer.byteLength(text)}" sha1="${sha1}" xml:space="preserve">${escape(text)}</text><sha1>${sha1}</sha1>
    </revision>`
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
