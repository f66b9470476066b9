/** The bar at the top: name of the wiki, search, menu and colour theme. */
import { type Fragment, type Html, html, remembered, trusted } from '../html.js'
import { INTERFACE_LANGUAGE, text } from '../messages.js'
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
function searchForm({ name, links }: ReaderSite, query: string): Html {
  const label = text('search-wiki', name)
  return html`<form class="search" role="search" action="${links.wiki}Special:Search" data-texts="${text('search-texts', '$1')}">
    <input type="search" name="search" value="${query}" aria-label="${label}" placeholder="${label}" ${trusted(INPUT)}>
    <button type="submit" name="go" value="1">${text('search')}</button>
    </form>`
}

const INPUT =
  'autocomplete="off" autocapitalize="sentences" spellcheck="false" dir="auto" maxlength="255" accesskey="f"'

function navigation({ links, allowsEdits }: ReaderSite): Html {
  return html`<nav aria-label="${text('navigation')}"><ul>
    <li><a href="${links.front}">${text('main-page')}</a></li>
    <li><a href="${links.special('AllPages')}">${text('all-pages')}</a></li>
    <li><a href="${links.special('RecentChanges')}">${text('recent-changes')}</a></li>
    <li><a href="${links.special('Random')}" rel="nofollow">${text('random-page')}</a></li>
    <li><a href="${links.special('SpecialPages')}">${text('special-pages')}</a></li>
    ${allowsEdits && html`<li><a href="${links.special('UserLogin')}" rel="nofollow">${text('log-in')}</a></li>\n`}
    </ul></nav>`
}

const THEMES = ['system', 'light', 'dark'] as const

/** Shown by the script, which alone can switch. */
function themeChoice(theme: (typeof THEMES)[number]): Html {
  return html`<label><input type="radio" name="theme" value="${theme}"> ${text(`theme-${theme}`)}</label>\n`
}
