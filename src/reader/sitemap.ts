/** Sitemaps: for search engines, all pages of the main namespace. */
import { formatTimestamp } from '../domain/timestamp.js'
import { html, type Html } from './html.js'
import type { Links } from './links.js'

/** Page ids of one sitemap. The protocol allows 50,000 pages in one file, and 50 MB. */
export const IDS_PER_SITEMAP = 50_000
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Where the pages are. */
export interface SitemapPlace {
  /** Scheme and host. */
  readonly origin: string
  readonly links: Links
}

export interface SitemapPage {
  readonly key: string
  /** Time of the latest revision, in seconds since 1970. */
  readonly time: number
}

/** The list of the sitemaps with these numbers. */
export function sitemapIndex(numbers: readonly number[], { origin, links }: SitemapPlace): string {
  const items = numbers.map((n) => html`<sitemap><loc>${origin}${links.sitemap(n)}</loc></sitemap>\n`)
  return documentOf('sitemapindex', items)
}

export function sitemap(pages: readonly SitemapPage[], { origin, links }: SitemapPlace): string {
  const items = pages.map(
    ({ key, time }) =>
      html`<url><loc>${origin}${links.page(key)}</loc><lastmod>${formatTimestamp(time)}</lastmod></url>\n`,
  )
  return documentOf('urlset', items)
}

function documentOf(element: 'sitemapindex' | 'urlset', items: readonly Html[]): string {
  const start = `<?xml version="1.0" encoding="UTF-8"?>\n<${element} xmlns="${NAMESPACE}">\n`
  return `${start}${items.map(({ text }) => text).join('')}</${element}>\n`
}
