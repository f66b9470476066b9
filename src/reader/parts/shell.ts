/** The page around a content: everything from the doctype to the footer. */
import {
  type Fragment,
  type Html,
  html,
  remembered,
  safeUrl,
  type SharedHtml,
  trusted,
  NOTHING,
} from '../html.js'
import { header, usualHeader } from './header.js'
import { type Category, categoryList, type LanguageLink, languageMenu } from './lists.js'
import { type ContentsEntry, contentsList } from './contents.js'
import { INTERFACE_LANGUAGE, text, word, wordOf, sentence } from '../messages.js'
import type { ReaderSite } from '../site.js'
import type { Tab } from '../tabs.js'
import { timeElement } from './time.js'

export type { Category, ContentsEntry, LanguageLink }

/** Everything that a page shows beside its content. */
export interface ShellView extends FooterFacts {
  readonly site: ReaderSite
  /** Title of the document, without the name of the wiki. */
  readonly title: string
  /** The heading above the content; the title if absent. */
  readonly heading?: Html
  /** Path with query, as requested: for links to sections of the page. */
  readonly path: string
  /** Path that search engines should know the page by, if it is not `path`. */
  readonly canonical?: string
  /** Whether search engines may list the page. */
  readonly isListed?: boolean
  readonly description?: string
  /** URL of a picture of the page's subject. */
  readonly picture?: string
  /** Groups of tabs, each shown on its own. */
  readonly tabs?: readonly (readonly Tab[])[]
  /** Path of the form that edits the page, for links to edit its sections. */
  readonly editPath?: string
  /** A menu beside the tabs. */
  readonly tools?: readonly Tab[]
  /** Notices above the content, each a paragraph. */
  readonly notices?: readonly Fragment[]
  readonly contents?: readonly ContentsEntry[]
  readonly languages?: readonly LanguageLink[]
  readonly categories?: readonly Category[]
  /** What the search box shows. */
  readonly query?: string
  /** Shown in the header: the user's name, or a link to log in. Only in pages that are not shared. */
  readonly user?: Fragment
  /** Direction and language of the content if they are not those of the wiki. */
  readonly isInterfaceContent?: boolean
}

export interface Shell {
  readonly head: string
  readonly tail: string
}

/** HTML before and after a content. */
export function shell(view: ShellView): Shell {
  const { beforeLanguages, afterLanguages, tail } = shellPieces(view)
  const menu = languageMenu(view.languages ?? [])?.text ?? ''
  return { head: joined(beforeLanguages) + menu + afterLanguages.text, tail: tail.text }
}

/** The shell without its language menu, in pieces that follow each other. */
export interface ShellPieces {
  /** A SharedHtml is the same on other pages of the site. */
  readonly beforeLanguages: readonly Html[]
  /** Ends inside of the element of the content. */
  readonly afterLanguages: Html
  readonly tail: Html
}

export function shellPieces(view: ShellView): ShellPieces {
  return {
    beforeLanguages: beforeLanguages(view),
    afterLanguages: afterLanguages(view),
    tail: tailOf(view),
  }
}

const joined = (pieces: readonly Html[]): string => pieces.map((piece) => piece.text).join('')

/** Pieces before the languages: three of the page, and between them the two of `sharedPieces`. */
function beforeLanguages(view: ShellView): Html[] {
  const { site, path, contents = [] } = view
  const start = html`<!doctype html>
    <html lang="${site.language || INTERFACE_LANGUAGE}" dir="${site.direction}">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${documentTitle(view)}</title>
    `
  const metadata = html`
    ${pageMetadata(view)}
    </head>
    <body data-api="${site.api}" data-expand="${wordOf(site, 'expand')}" data-collapse="${wordOf(site, 'collapse')}" data-table="${text('table-frame')}">
    <a class="skip-link" href="${path}#reader-content" lang="en">${text('skip-to-content')}</a>
    `
  const heading = html`
    <div class="page${contents.length > 0 && ' has-contents'}">
    ${contentsList(contents, path, site)}
    <main id="reader-content" tabindex="-1">
    <div class="heading">
    <h1 dir="auto">${view.heading ?? view.title}</h1>
    `
  return [
    start,
    siteLinks(site),
    metadata,
    header(site, { query: view.query ?? '', user: view.user }),
    heading,
  ]
}

/** The pieces that all articles of a site share. */
export function sharedPieces(site: ReaderSite): readonly [SharedHtml, SharedHtml] {
  return [siteLinks(site), usualHeader(site)]
}

function afterLanguages(view: ShellView): Html {
  const { notices = [] } = view
  return html`
    </div>
    ${tabBar(view)}${variantMenu(view)}
    ${notices.map((notice) => html`<p class="notice" lang="en" dir="auto">${notice}</p>`)}
    <div class="content"${sectionEditing(view)}${view.isInterfaceContent === true && trusted(' lang="en" dir="ltr"')}>
    `
}

/** The script adds the links, since all readers share the HTML of the store. */
const sectionEditing = ({ site, editPath }: ShellView): Html | undefined =>
  editPath === undefined
    ? undefined
    : html` data-edit="${editPath}" data-edit-word="${wordOf(site, 'edit-section')}"`

function tailOf(view: ShellView): Html {
  return html`
    </div>
    ${categoryList(view.categories ?? [], view.site)}
    </main>
    </div>
    ${footer(view.site, view)}
    </body>
    </html>
    `
}

/** A whole page. */
export function wholePage(view: ShellView, content: Html): string {
  const { head, tail } = shell(view)
  return head + content.text + tail
}

const documentTitle = ({ site, title }: ShellView): string =>
  title === site.name ? title : `${title} – ${site.name}`

function pageMetadata(view: ShellView): Html {
  const { site, description, isListed = false } = view
  const canonical = site.origin + (view.canonical ?? view.path)
  return html`${isListed ? html`<link rel="canonical" href="${canonical}">` : NOT_LISTED}
    ${description && html`<meta name="description" content="${description}">`}
    ${openGraph(view, isListed ? canonical : undefined)}
    <meta name="color-scheme" content="light dark">`
}

const NOT_LISTED = html`<meta name="robots" content="noindex,follow">`

/** What the head of every page of a site links to. */
const siteLinks = remembered((site: ReaderSite) => {
  const { assets, links } = site
  return html`<base href="${links.wiki}">
    <script src="${assets.theme}"></script>
    <link rel="stylesheet" href="${assets.style}">${assets.wiki !== undefined && html`<link rel="stylesheet" href="${assets.wiki}">`}
    <script src="${assets.script}" defer></script>
    <link rel="icon" href="${assets.icon}" type="image/svg+xml">
    ${searchDescription(site)}${site.offline !== undefined && appLink(site.offline)}`
})

/** Browsers may install the wiki as an app. The script finds the worker here. */
const appLink = ({ worker, manifest }: NonNullable<ReaderSite['offline']>): Html =>
  html`
    <link rel="manifest" href="${manifest}" data-worker="${worker}" data-notice="${text('offline-copy')}">`

function searchDescription({ name, links }: ReaderSite): Html {
  const type = 'application/opensearchdescription+xml'
  return html`<link rel="search" type="${type}" href="${links.searchDescription}" title="${name}">`
}

/** Metadata for services that link to the page. Addresses there must be absolute. */
function openGraph({ site, title, description, picture }: ShellView, url: string | undefined): Html {
  return html`<meta property="og:title" content="${title}">
    <meta property="og:type" content="${url === undefined ? 'website' : 'article'}">
    <meta property="og:site_name" content="${site.name}">
    ${url !== undefined && site.origin !== '' && html`<meta property="og:url" content="${url}">`}
    ${description && html`<meta property="og:description" content="${description}">`}
    ${picture && safeUrl(picture) && html`<meta property="og:image" content="${picture}">`}`
}

function tabBar({ site, tabs: groups = [], tools = [] }: ShellView): Html | undefined {
  if (groups.every((group) => group.length === 0)) return undefined
  return html`<nav class="tabs" aria-label="${text('page-tabs')}" lang="en">
    ${groups.map((group) => html`<ul>${group.map(tabItem)}</ul>\n`)}
    ${tools.length > 0 && toolMenu(tools, site)}
    </nav>`
}

/** Links to the page in each variant of the wiki's language. */
function variantMenu({ site, path, isInterfaceContent }: ShellView): Html | undefined {
  const { variants, links } = site
  if (variants === undefined || isInterfaceContent === true || !path.startsWith(links.wiki)) return undefined
  const page = path.slice(links.wiki.length)
  const items = variants.all.map(({ code, tag, name, wiki }) => {
    const current = code === variants.chosen && trusted(' aria-current="true"')
    return html`<li><a href="${wiki}${page}" lang="${tag}" hreflang="${tag}" dir="auto" rel="nofollow"${current}>${name}</a></li>`
  })
  return html`<nav class="tabs" aria-label="${text('variants')}"><ul>${items}</ul></nav>`
}

function toolMenu(tools: readonly Tab[], site: ReaderSite): Html {
  return html`<details class="tools"><summary>${word(site, 'tools')}</summary>
    <ul>${tools.map(tabItem)}</ul>
    </details>`
}

function tabItem({ label, href, isSelected, isMissing = false, download }: Tab): Html {
  const current = isSelected && trusted(' aria-current="page"')
  const saved = download !== undefined && html` download="${download}"`
  return html`<li><a href="${href}"${current}${isMissing && trusted(' class="new"')}${saved}>${label}</a></li>`
}

// The foot of a page: last change, licence, source.

interface FooterFacts {
  /** Time of the last change of the page, in seconds since 1970; absent for pages without one. */
  readonly lastChanged?: number
  /** URL of the page in the wiki that this one copies; that wiki's own if absent. */
  readonly source?: string
}

function footer(site: ReaderSite, { lastChanged, source = site.source }: FooterFacts): Html {
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
