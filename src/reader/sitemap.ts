/** Sitemaps: for search engines, all pages of the main namespace. */
import { formatTimestamp } from '../domain/timestamp.js'
import { html, type Html } from './html.js'
import { pageLink } from './links.js'

/** Page ids of one sitemap. The protocol allows 50,000 pages in one file, and 50 MB. */
export const IDS_PER_SITEMAP = 50_000
export const SITEMAP_INDEX = '/sitemap.xml'
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

export interface SitemapPage {
  readonly key: string
  /** Time of the latest revision, in seconds since 1970. */
  readonly time: number
}

export const sitemapLink = (number: number): string => `/sitemap/${number}.xml`

/** The list of the sitemaps with these numbers. `origin` is scheme and host. */
export function sitemapIndex(numbers: readonly number[], origin: string): string {
  const items = numbers.map((n) => html`<sitemap><loc>${origin}${sitemapLink(n)}</loc></sitemap>\n`)
  return documentOf('sitemapindex', items)
}

export function sitemap(pages: readonly SitemapPage[], origin: string): string {
  const items = pages.map(
    ({ key, time }) =>
      html`<url><loc>${origin}${pageLink(key)}</loc><lastmod>${formatTimestamp(time)}</lastmod></url>\n`,
  )
  return documentOf('urlset', items)
}

function documentOf(element: 'sitemapindex' | 'urlset', items: readonly Html[]): string {
  const start = `<?xml version="1.0" encoding="UTF-8"?>\n<${element} xmlns="${NAMESPACE}">\n`
  return `${start}${items.map(({ text }) => text).join('')}</${element}>\n`
}
