/** Every text of the pages for readers, in English. `$1`, `$2`, … are values. */
import { type Fragment, type Html, html } from './html.js'
import { VIEW_MESSAGES } from './viewMessages.js'

export const INTERFACE_LANGUAGE = 'en'

export const MESSAGES = {
  'skip-to-content': 'Skip to content',
  'main-page': 'Main page',
  'all-pages': 'All pages',
  'recent-changes': 'Recent changes',
  'random-page': 'Random page',
  'special-pages': 'Special pages',
  statistics: 'Statistics',
  'wikis-heading': 'Wikis',
  'wikis-name': 'Wiki',
  'wikis-language': 'Language',
  'wikis-pages': 'Pages',
  navigation: 'Navigation',
  menu: 'Menu',
  search: 'Search',
  'search-wiki': 'Search $1',
  'search-texts': 'Search texts for “$1”',
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
  expand: 'show',
  collapse: 'hide',
  contents: 'Contents',
  'contents-top': 'Beginning',
  languages: 'Languages',
  'languages-count': '$1 languages',
  'languages-one': '1 language',
  categories: 'Categories',
  'category-subcategories': 'Subcategories ($1)',
  'category-pages': 'Pages in this category ($1)',
  'category-files': 'Files in this category ($1)',
  'category-empty': 'This category has no members.',
  'members-previous': 'Previous',
  'members-next': 'Next',
  'categories-from': 'From',
  'categories-show': 'Show',
  'last-changed': 'This page was last changed on $1.',
  'text-license': 'Text: $1',
  'source-wiki': 'Source: $1',
  'api-docs': 'API for programs',
  'redirected-from': 'Redirected from $1.',
  'redirected-to-section': 'Redirected from $1 to the section $2.',
  'missing-page': 'This wiki has no page $1.',
  'missing-search': 'Search for these words',
  'missing-create': 'Create this page',
  'similar-titles': 'Similar pages',
  'bad-revision': '“$1” is no number of a revision.',
  'user-hidden': '(username removed)',
  'the-page': 'the page',
  'latest-revision': 'This is the version of $1 by $2, the latest of $3.',
  'old-revision': 'This is the version of $1 by $2. It may differ from the latest one.',
  'change-of-revision': 'Its change',
  'changes-since': 'Changes since then',
  'latest-version': 'Latest version',
  'file-original': 'Original file',
  'file-kind': 'Kind',
  'file-time': 'Uploaded',
  'file-uploader': 'By',
  'file-pixels': '$1 × $2 pixels',
  'file-seconds': '$1 seconds',
  'error-heading': 'This did not work',
  'not-found-heading': 'No such page',
  'bad-title': 'No page can have the title “$1”.',
  'no-special-page': 'There is no special page “$1”.',
  'no-action': 'Pages have no action “$1”.',
  'back-to-main': 'Main page',
  ...VIEW_MESSAGES,
} as const

export type MessageKey = keyof typeof MESSAGES

/** A message as plain text. */
export function text(key: MessageKey, ...values: readonly (string | number)[]): string {
  if (values.length === 0) return MESSAGES[key]
  return MESSAGES[key].replace(/\$(\d)/g, (_whole, n: string) => String(values[Number(n) - 1] ?? ''))
}

/** Messages as texts with numbers of values between them. */
const PARTS = new Map<MessageKey, readonly string[]>()

/** A message with values that may be HTML, such as links. */
export function sentence(key: MessageKey, ...values: readonly Fragment[]): Html {
  const parts = PARTS.get(key) ?? MESSAGES[key].split(/\$(\d)/)
  PARTS.set(key, parts)
  return html`${parts.map((part, i) => (i % 2 === 0 ? part : values[Number(part) - 1]))}`
}
