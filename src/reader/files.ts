/** Texts for browsers and robots. */
import { html } from './html.js'
import type { Links } from './links.js'
import { text } from './messages.js'

export interface SearchFacts {
  /** Of the wiki. */
  readonly name: string
  /** Scheme and host. */
  readonly origin: string
  readonly links: Links
  /** Absolute URL of the API. */
  readonly api: string
}

/** An OpenSearch description. Names there are short, so a long one is cut. */
export function openSearch({ name, origin, links, api }: SearchFacts): string {
  const results = `${origin}${links.wiki}Special:Search?search={searchTerms}`
  return html`<?xml version="1.0" encoding="UTF-8"?>
    <OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
    <ShortName>${name.slice(0, 16).toWellFormed()}</ShortName>
    <Description>${text('search-wiki', name)}</Description>
    <Image width="32" height="32" type="image/x-icon">${origin}${links.root}/favicon.ico</Image>
    <Url type="text/html" method="get" template="${results}"/>
    <Url type="application/json" rel="results" template="${api}/search/title?q={searchTerms}"/>
    </OpenSearchDescription>
    `.text
}

/** A wiki, as robots see it. */
export interface RobotsWiki {
  readonly links: Links
  /** Path of the API before `/v1`. */
  readonly basePath: string
}

const CLOSED_VIEWS = ['/*action=', '/*oldid=', '/*diff=', '/*redirect=']

/** Robots may read pages. Histories, comparisons and special pages would be endless. `origin` is scheme and host. */
export function robots(wikis: readonly RobotsWiki[], origin: string): string {
  const closed = [
    ...wikis.map(({ links }) => `${links.wiki}Special:`),
    ...CLOSED_VIEWS,
    ...wikis.map(({ basePath }) => `${basePath}/v1/`),
  ]
  const rules = closed.map((path) => `Disallow: ${path}`)
  const sitemaps = wikis.map(({ links }) => `Sitemap: ${origin}${links.sitemap()}`)
  return ['User-agent: *', ...rules, '', ...sitemaps, ''].join('\n')
}
