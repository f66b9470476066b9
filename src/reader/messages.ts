/** Every text of the pages for readers, in English. `$1`, `$2`, … are values. */
import { type Fragment, type Html, html } from './html.js'

export const INTERFACE_LANGUAGE = 'en'

export const MESSAGES = {
  'skip-to-content': 'Skip to content',
  'main-page': 'Main page',
  'all-pages': 'All pages',
  'recent-changes': 'Recent changes',
  'random-page': 'Random page',
  'special-pages': 'Special pages',
  statistics: 'Statistics',
  navigation: 'Navigation',
  menu: 'Menu',
  search: 'Search',
  'search-wiki': 'Search $1',
  appearance: 'Appearance',
  'theme-system': 'System',
  'theme-light': 'Light',
  'theme-dark': 'Dark',
  'page-tabs': 'Views of this page',
  'tab-page': 'Page',
  'tab-special': 'Special page',
  'tab-talk': 'Discussion',
  'tab-read': 'Read',
  'tab-edit': 'Edit',
  'tab-history': 'History',
  contents: 'Contents',
  'contents-top': 'Beginning',
  languages: 'Languages',
  'languages-count': '$1 languages',
  'languages-one': '1 language',
  categories: 'Categories',
  'last-changed': 'This page was last changed on $1.',
  'text-license': 'Text: $1',
  'source-wiki': 'Source: $1',
  'api-docs': 'API for programs',
  'redirected-from': 'Redirected from $1',
  'error-heading': 'This did not work',
  'not-found-heading': 'No such page',
  'bad-title': 'No page can have the title “$1”.',
  'no-special-page': 'There is no special page “$1”.',
  'no-action': 'Pages have no action “$1”.',
  'back-to-main': 'Main page',
} as const

export type MessageKey = keyof typeof MESSAGES

/** A message as plain text. */
export function text(key: MessageKey, ...values: readonly (string | number)[]): string {
  return MESSAGES[key].replace(/\$(\d)/g, (_whole, n: string) => String(values[Number(n) - 1] ?? ''))
}

/** A message with values that may be HTML, such as links. */
export function sentence(key: MessageKey, ...values: readonly Fragment[]): Html {
  const parts = MESSAGES[key].split(/\$(\d)/)
  return html`${parts.map((part, i) => (i % 2 === 0 ? part : values[Number(part) - 1]))}`
}
