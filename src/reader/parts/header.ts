/** The bar at the top: name of the wiki, search, menu and colour theme. */
import { type Fragment, type Html, html, remembered, trusted } from '../html.js'
import { INTERFACE_LANGUAGE, text, word, wordOf } from '../messages.js'
import type { ReaderSite } from '../site.js'

export interface HeaderFacts {
  readonly query: string
  readonly user: Fragment
}

export function header(site: ReaderSite, facts: HeaderFacts): Html {
  return facts.query === '' && facts.user === undefined ? usualHeader(site) : headerWith(site, facts)
}

/** The header of a page that names neither a search nor a user. */
export const usualHeader = remembered((site: ReaderSite) => headerWith(site, { query: '', user: undefined }))

function headerWith(site: ReaderSite, { query, user }: HeaderFacts): Html {
  const { links } = site
  return html`<header class="top" lang="en">
    <a class="site-name" href="${links.front}" lang="${site.language || INTERFACE_LANGUAGE}" dir="auto">${site.name}</a>
    ${searchForm(site, query)}
    ${user && html`<div class="user">${user}</div>`}
    <details class="menu">
    <summary aria-label="${text('menu')}"><span aria-hidden="true" class="menu-icon"></span></summary>
    <div class="menu-body">
    ${navigation(site)}
    <fieldset class="theme-switch" hidden>
    <legend>${text('appearance')}</legend>
    ${THEMES.map(themeChoice)}
    </fieldset>
    </div>
    </details>
    </header>`
}

/** Works without a script: it is a GET of the search page. */
function searchForm(site: ReaderSite, query: string): Html {
  const { name, links, variants } = site
  const label = text('search-wiki', name)
  const isConverted = variants !== undefined && variants.chosen !== variants.all[0]?.code
  const variant = isConverted && html` data-variant="${variants.chosen}"`
  return html`<form class="search" role="search" action="${links.wiki}Special:Search" data-texts="${text('search-texts', '$1')}"${variant}>
    <input type="search" name="search" value="${query}" aria-label="${label}" placeholder="${label}" ${trusted(INPUT)}>
    <button type="submit" name="go" value="1">${word(site, 'search')}</button>
    </form>`
}

const INPUT =
  'autocomplete="off" autocapitalize="sentences" spellcheck="false" dir="auto" maxlength="255" accesskey="f"'

function navigation(site: ReaderSite): Html {
  const { links, allowsEdits } = site
  return html`<nav aria-label="${wordOf(site, 'navigation')}"><ul>
    <li><a href="${links.front}">${word(site, 'main-page')}</a></li>
    <li><a href="${links.special('AllPages')}">${word(site, 'all-pages')}</a></li>
    <li><a href="${links.special('RecentChanges')}">${word(site, 'recent-changes')}</a></li>
    <li><a href="${links.special('Random')}" rel="nofollow">${word(site, 'random-page')}</a></li>
    <li><a href="${links.special('SpecialPages')}">${word(site, 'special-pages')}</a></li>
    ${allowsEdits && html`<li><a href="${links.special('UserLogin')}" rel="nofollow">${word(site, 'log-in')}</a></li>\n`}
    </ul></nav>`
}

const THEMES = ['system', 'light', 'dark'] as const

/** Shown by the script, which alone can switch. */
function themeChoice(theme: (typeof THEMES)[number]): Html {
  return html`<label><input type="radio" name="theme" value="${theme}"> ${text(`theme-${theme}`)}</label>\n`
}
