/** Snapshots of rendered pages, of our own making. */
import { gzipSync } from 'node:zlib'

export interface SnapshotPage {
  readonly id: number
  readonly title: string
  readonly revision: number
  /** Null: the row has none. */
  readonly text: string | null
  /** Content of the body. Null: the row has no HTML. */
  readonly body?: string | null
  readonly redirects?: readonly string[]
  readonly templates?: readonly string[]
  /** Fields that replace others, or come in addition. */
  readonly more?: Readonly<Record<string, unknown>>
}

export const MADE = '2026-03-02T10:01:00Z'
export const BASE = 'https://wiki.example/wiki/'

/** A document as Wikipedia's own renderer writes it. */
export function documentOf(title: string, revision: number, body: string, version = '2.8.0'): string {
  const about = `https://wiki.example/wiki/Special:Redirect/revision/${revision}`
  return (
    `<!DOCTYPE html>\n<html prefix="dc: http://purl.org/dc/terms/ mw: http://mediawiki.org/rdf/" about="${about}"><head>` +
    `<meta charset="utf-8"/><meta property="mw:pageId" content="1"/><meta property="mw:htmlVersion" content="${version}"/>` +
    `<title>${title}</title><base href="//wiki.example/wiki/"/><link rel="stylesheet" href="/w/load.php?modules=site"/>` +
    `</head><body id="mwAA" lang="en" class="mw-content-ltr mw-parser-output" dir="ltr"><section data-mw-section-id="0" ` +
    `id="mwAQ">${body}</section></body></html>`
  )
}

/** One line, without its line break. */
export function snapshotRow(page: SnapshotPage): string {
  const {
    id,
    title,
    revision,
    text,
    body = `<p id="mwAg">${text}</p>`,
    redirects = [],
    templates = [],
    more,
  } = page
  const html = body === null ? {} : { html: documentOf(title, revision, body) }
  return JSON.stringify({
    name: title,
    identifier: id,
    date_modified: MADE,
    version: {
      identifier: revision,
      comment: `edit ${revision}`,
      is_minor_edit: false,
      editor: { identifier: 1, name: 'Ann' },
      size: { value: Buffer.byteLength(text ?? ''), unit_text: 'B' },
    },
    previous_version: { identifier: revision - 1 },
    url: BASE + encodeURIComponent(title.replaceAll(' ', '_')),
    namespace: { identifier: 0 },
    in_language: { identifier: 'en' },
    is_part_of: { identifier: 'testwiki', url: 'https://wiki.example' },
    redirects: redirects.map((name) => ({ name })),
    templates: templates.map((name) => ({ name })),
    categories: [{ name: 'Category:Plants' }],
    article_body: { ...html, ...(text !== null && { wikitext: text }) },
    ...more,
  })
}

export const snapshotLines = (pages: readonly SnapshotPage[]): string =>
  pages.map((page) => `${snapshotRow(page)}\n`).join('')

/** A tar archive. `type` is that of the header: 0 for a file. */
export interface TarMember {
  readonly name: string
  readonly contents: string | Buffer
  readonly type?: string
  /** The size in the header, as it is written there. */
  readonly size?: Buffer
}

export function tarOf(members: readonly TarMember[], { isEnded = true } = {}): Buffer {
  const blocks = members.flatMap(({ name, contents, type = '0', size }) => {
    const bytes = Buffer.from(contents)
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write('0000644\0', 100)
    if (size === undefined) header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
    else size.copy(header, 124)
    header.write('        ', 148)
    header.write(type, 156)
    header.write('ustar\x0000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(isEnded ? 1024 : 0)])
}

/** A record of a header of type `x`. */
export function paxRecord(name: string, value: string): string {
  const rest = ` ${name}=${value}\n`
  const length = [2, 3, 4].find((digits) => String(digits + Buffer.byteLength(rest)).length === digits)!
  return `${length + Buffer.byteLength(rest)}${rest}`
}

export const snapshotTar = (files: Readonly<Record<string, readonly SnapshotPage[]>>): Buffer =>
  gzipSync(tarOf(Object.entries(files).map(([name, pages]) => ({ name, contents: snapshotLines(pages) }))))
