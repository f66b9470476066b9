/** Texts for browsers and robots. */
import { html } from './html.js'
import { WIKI_ROOT } from './links.js'
import { text } from './messages.js'
import { SITEMAP_INDEX } from './sitemap.js'

export interface SearchFacts {
  /** Of the wiki. */
  readonly name: string
  /** Scheme and host. */
  readonly origin: string
  /** Absolute URL of the API. */
  readonly api: string
}

/** An OpenSearch description. Names there are short, so a long one is cut. */
export function openSearch({ name, origin, api }: SearchFacts): string {
  const results = `${origin}${WIKI_ROOT}Special:Search?search={searchTerms}`
  return html`<?xml version="1.0" encoding="UTF-8"?>
    <OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
    <ShortName>${name.slice(0, 16).toWellFormed()}</ShortName>
    <Description>${text('search-wiki', name)}</Description>
    <Image width="32" height="32" type="image/x-icon">${origin}/favicon.ico</Image>
    <Url type="text/html" method="get" template="${results}"/>
    <Url type="application/json" rel="results" template="${api}/search/title?q={searchTerms}"/>
    </OpenSearchDescription>
    `.text
}

/** Robots may read pages. Histories, comparisons and special pages would be endless. */
export function robots(basePath: string, origin: string): string {
  const closed = [
    `${WIKI_ROOT}Special:`,
    '/*action=',
    '/*oldid=',
    '/*diff=',
    '/*redirect=',
    `${basePath}/v1/`,
  ]
  const rules = closed.map((path) => `Disallow: ${path}`)
  return ['User-agent: *', ...rules, '', `Sitemap: ${origin}${SITEMAP_INDEX}`, ''].join('\n')
}
