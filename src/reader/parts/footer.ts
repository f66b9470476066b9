/** The foot of a page: last change, licence, source. */
import { type Html, html, NOTHING, remembered, safeUrl } from '../html.js'
import { sentence, text } from '../messages.js'
import type { ReaderSite } from '../site.js'
import { timeElement } from './time.js'

export interface FooterFacts {
  /** Time of the last change of the page, in seconds since 1970; absent for pages without one. */
  readonly lastChanged?: number
  /** URL of the page in the wiki that this one copies; that wiki's own if absent. */
  readonly source?: string
}

export function footer(site: ReaderSite, { lastChanged, source = site.source }: FooterFacts): Html {
  return html`<footer class="foot" lang="en">
    ${lastChanged !== undefined && html`<p dir="auto">${sentence('last-changed', timeElement(lastChanged, site.formats))}</p>`}
    <ul>
    ${licenseItem(site)}
    ${sourceItem(source)}
    <li><a href="${site.apiDocs}">${text('api-docs')}</a></li>
    </ul>
    </footer>`
}

const licenseItem = remembered(({ license }: ReaderSite) => {
  const name = license.title || license.url
  if (name === '') return NOTHING
  const url = safeUrl(license.url)
  const shown = url === undefined ? name : html`<a href="${url}" rel="license">${name}</a>`
  return html`<li dir="auto">${sentence('text-license', shown)}</li>`
})

function sourceItem(source: string): Html | undefined {
  const url = safeUrl(source)
  if (url === undefined) return undefined
  return html`<li dir="auto">${sentence('source-wiki', html`<a href="${url}">${hostOf(url)}</a>`)}</li>`
}

/** Host of a URL as readers know it. */
function hostOf(url: string): string {
  return url.replace(/^(https?:)?\/\//i, '').replace(/[/?#].*$/s, '')
}
