/** The frame of a page's HTML in `action=parse`: its head, and the list of its categories. */
import { CATEGORY } from '../../../domain/namespaceIds.js'
import { directionOf } from '../../../domain/direction.js'
import { parseTitle, prefixedKey, prefixedText, type Title } from '../../../domain/title.js'
import type { BodyFacts } from '../../../reader/bodyFacts.js'
import { html, type Html } from '../../../reader/html.js'
import { addressesOf } from '../addresses.js'
import type { ActionCall } from '../frame/call.js'
import { isHiddenCategory } from '../pageProperties.js'

/** Clients read the variables between `;RLCONF=` and `;RLSTATE=`. */
export function headHtml(title: Title, pageId: number, { wiki }: ActionCall): string {
  const { language, name } = wiki.site
  const direction = directionOf(language)
  const variables = {
    wgPageName: prefixedKey(title, wiki.namespaces),
    wgTitle: title.dbkey.replaceAll('_', ' '),
    wgNamespaceNumber: title.namespace,
    wgArticleId: pageId,
    wgPageContentLanguage: language,
  }
  // No text ends the script.
  const json = JSON.stringify(variables).replaceAll('<', '\\u003C')
  const heading = html`${prefixedText(title, wiki.namespaces)} - ${name}`.text
  const classes = `mediawiki ${direction} ns-${title.namespace}`
  return [
    '<!DOCTYPE html>',
    `<html class="client-nojs" lang="${language}" dir="${direction}">`,
    '<head>',
    '<meta charset="UTF-8"/>',
    `<title>${heading}</title>`,
    `<script>document.documentElement.className="client-js";RLCONF=${json};RLSTATE={};RLPAGEMODULES=[];</script>`,
    '</head>',
    `<body class="${classes}">`,
  ].join('\n')
}

/** Links to the categories of a page; hidden ones stand by themselves. */
export function categoriesHtml({ categories }: BodyFacts, call: ActionCall): string {
  const { context, wiki } = call
  const keys = categories.flatMap(({ key }) => {
    const parsed = parseTitle(key, wiki.namespaces)
    return parsed.ok && parsed.title.namespace === CATEGORY ? [parsed.title.dbkey] : []
  })
  const isHidden = (dbkey: string): boolean => isHiddenCategory(dbkey, context.store)
  const shown = keys.filter((dbkey) => !isHidden(dbkey))
  const hidden = keys.filter(isHidden)
  const { links } = addressesOf(call)
  const special = links.page('Special:Categories')
  const label = shown.length === 1 ? 'Category' : 'Categories'
  const normal = html`<div id="mw-normal-catlinks" class="mw-normal-catlinks"><a href="${special}" title="Special:Categories">${label}</a>: ${list(shown, call)}</div>`
  const others = html`<div id="mw-hidden-catlinks" class="mw-hidden-catlinks mw-hidden-cats-hidden">${hidden.length === 1 ? 'Hidden category' : 'Hidden categories'}: ${list(hidden, call)}</div>`
  const classes = shown.length > 0 ? 'catlinks' : 'catlinks catlinks-allhidden'
  return html`<div id="catlinks" class="${classes}" data-mw="interface">${shown.length > 0 && normal}${hidden.length > 0 && others}</div>`
    .text
}

function list(keys: readonly string[], call: ActionCall): Html {
  const { links } = addressesOf(call)
  const { namespaces } = call.wiki
  const items = keys.map((dbkey) => {
    const title = { namespace: CATEGORY, dbkey }
    const [path, name] = [links.page(prefixedKey(title, namespaces)), prefixedText(title, namespaces)]
    return html`<li><a href="${path}" title="${name}">${dbkey.replaceAll('_', ' ')}</a></li>`
  })
  return html`<ul>${items}</ul>`
}
