/** Every text of the pages for readers, in English. `$1`, `$2`, … are values. */
import { type Fragment, type Html, html } from './html.js'

/** Texts of the tools of a page, in English: what links to it, changes around it, facts of it. */
const TOOL_MESSAGES = {
  tools: 'Tools',
  'tool-links': 'What links here',
  'tool-related': 'Related changes',
  'tool-info': 'Page information',
  'tool-cite': 'Cite this page',
  'tool-markdown': 'Download as Markdown',
  'tool-page': 'Page',
  'tool-user': 'User name',
  'tool-show': 'Show',
  'tool-all-namespaces': 'all',
  'links-heading': 'Pages that link to $1',
  'links-none': 'No page links to $1.',
  'links-none-here': 'This part of the list has no such page. The next part may have some.',
  'links-not-ready':
    'This wiki has no complete index of links. Its operator can make one with “palimpsest reindex”.',
  'use-template': 'transclusion',
  'use-file': 'file',
  'use-redirect': 'redirect',
  'links-below-more': 'all links to this redirect',
  'changes-not-ready': 'The index of changes is not complete yet. Please come back later.',
  'contributions-heading': 'Contributions of $1',
  'contributions-ask': 'Contributions of a user',
  'contributions-none': 'This wiki shows no changes by $1.',
  'contributions-link': 'contribs',
  'changes-part-empty': 'This part of the list is empty. Older parts may not be.',
  'older-changes': 'older',
  'new-pages-heading': 'New pages',
  'new-pages-none': 'There are no new pages.',
  'related-heading': 'Related changes of $1',
  'related-legend': 'Latest changes of the pages that $1 links to.',
  'related-cut': 'The page has more links: only the first $1 are looked at.',
  'related-none': 'The page links to no page of this wiki.',
  'first-page': 'First page',
  'prefix-heading': 'All pages with a prefix',
  'prefix-begin': 'Titles that begin with',
  'prefix-hide-redirects': 'Hide redirects',
  'prefix-empty': 'No title of this namespace begins so.',
  'files-heading': 'List of files',
  'files-name': 'Name',
  'files-from': 'Names from',
  'files-none': 'No file comes at or after this name.',
  'log-heading': 'Log',
  'log-type': 'Kind',
  'log-none': 'The log has no such entries.',
  'log-absent': 'This wiki has no log. Its operator can import one.',
  'log-page-removed': '(page removed)',
  'version-heading': 'Version',
  'version-product': 'Software',
  'version-engine': 'Engine of HTML',
  'version-node': 'Node.js',
  'version-language': 'Language of the wiki',
  'version-extension-tags': 'Extension tags',
  'permanent-link-heading': 'Permanent link',
  'permanent-link-revision': 'Number of a revision',
  'info-heading': 'Information about $1',
  'info-title': 'Title',
  'info-id': 'Page ID',
  'info-size': 'Size',
  'info-redirect': 'Redirect to',
  'info-latest': 'Latest change',
  'info-by': 'By',
  'info-permanent': 'Permanent link',
  'cite-heading': 'Cite $1',
  'cite-legend':
    'These references name the present version of the page. Check them against the rules of your publisher.',
  'cite-plain': 'Plain text',
  'cite-accessed': '$1. In: $2. Version of $3 UTC. $4',
} as const

// Texts of the views beside the article, in English: histories, comparisons, lists, forms.

const VIEW_MESSAGES = {
  // Revisions
  'history-heading': '$1: revision history',
  'history-legend':
    'Choose two revisions to compare. “cur” compares with the latest revision, “prev” with the one before.',
  'compare-selected': 'Compare selected revisions',
  'choose-older': 'Compare from the revision of $1',
  'choose-newer': 'Compare to the revision of $1',
  'link-cur': 'cur',
  'link-prev': 'prev',
  'link-diff': 'diff',
  'link-hist': 'hist',
  'talk-link': 'talk',
  'username-removed': '(username removed)',
  'comment-removed': '(edit summary removed)',
  'text-removed': '(text removed)',
  'minor-edit': 'm',
  'minor-edit-title': 'This is a minor edit',
  'bot-edit': 'b',
  'bot-edit-title': 'This edit was made by a bot',
  'new-page': 'N',
  'new-page-title': 'This edit created a page',
  'reverted-edit': 'Reverted',
  'size-bytes': '$1 bytes',
  'size-byte': '1 byte',
  'no-history': 'There are no revisions here.',
  // Pages of lists
  pages: 'Pages of this list',
  newest: 'newest',
  'newer-count': 'newer $1',
  'older-count': 'older $1',
  'previous-page': 'Previous page',
  'next-page': 'Next page',
  // Comparisons
  'comparison-heading': '$1: difference between revisions',
  'revision-of': 'Revision of $1',
  'latest-revision-of': 'Latest revision of $1',
  'older-change': '← Older edit',
  'newer-change': 'Newer edit →',
  'line-number': 'Line $1:',
  'no-difference': 'The two texts are equal.',
  'first-revision': 'This wiki has no earlier revision of the page to compare with.',
  'comparison-cut': 'The comparison goes on. $1 more lines are not shown.',
  'revisions-between': '$1 revisions in between are not shown.',
  'revision-between': 'One revision in between is not shown.',
  'moved-away': 'This line was moved. Go to its new place.',
  'moved-here': 'This line was moved. Go to its old place.',
  'before-column': 'Before',
  'after-column': 'After',
  // Search
  'search-heading': 'Search results',
  'search-for': 'Search for $1',
  'search-results': 'Results $1 to $2 for $3',
  'search-nothing': 'Nothing was found for $1.',
  'search-suggestion': 'Did you mean $1?',
  'offline-copy': 'There is no network. This is the page as you read it last.',
  'search-usual': 'Usual namespaces',
  'search-all': 'All namespaces',
  'search-category': 'In the category',
  'search-in-category': 'Search in this category',
  'search-empty': 'Type some words to find pages. Words in “quotation marks” must stand together.',
  'search-no-page': 'There is no page titled “$1”.',
  'search-page-exists': 'There is a page titled $1.',
  'search-create': 'Create the page',
  'search-matched': 'redirect from $1',
  'search-section': 'section $1',
  'search-unavailable': 'The search does not work at the moment.',
  'search-end': 'The search shows no more than $1 results. Try more words.',
  // Lists
  'all-pages-heading': 'All pages',
  'all-pages-from': 'Titles from',
  'all-pages-namespace': 'Namespace',
  'all-pages-show': 'Show',
  'all-pages-empty': 'No titles of this namespace come at or after this place.',
  'main-namespace': '(Main)',
  'no-random': 'This namespace has no pages to choose from.',
  'no-namespace': 'This wiki has no namespace “$1”.',
  'recent-heading': 'Recent changes',
  'recent-empty': 'There are no changes.',
  'statistics-heading': 'Statistics',
  'stat-pages': 'Pages',
  'stat-content': 'Pages that are no redirects',
  'stat-redirects': 'Redirects',
  'stat-revisions': 'Revisions',
  'stat-editors': 'Editors',
  'stat-files': 'Files',
  'stat-per-page': 'Revisions per page',
  'special-heading': 'Special pages',
  'special-lists': 'Lists of pages',
  'special-changes': 'Changes and figures',
  'special-account': 'Account',
  'log-in': 'Log in',
  'log-out': 'Log out',
  // Forms
  'edit-heading': 'Editing $1',
  'section-heading': 'Editing $1 (section)',
  'create-heading': 'Creating $1',
  'source-heading': 'Source of $1',
  'tab-source': 'View source',
  'edit-text': 'Text of the page',
  'edit-summary': 'Summary of your change',
  'edit-minor': 'This is a minor edit',
  'edit-save': 'Save',
  'edit-preview': 'Show preview',
  'edit-changes': 'Show changes',
  'edit-cancel': 'Cancel',
  'edit-section': 'edit',
  'edit-no-section': 'The page has no section with this number. Perhaps somebody has moved or removed it.',
  'draft-restored': 'Your unsaved text of $1 is restored.',
  'draft-discard': 'Discard it',
  'edit-license': 'By saving, you agree to publish your text under $1.',
  'edit-anonymous': 'You are not logged in. The history of the page will show your address $1.',
  'edit-new': 'This page does not exist yet. Write its text below, and save it.',
  'edit-old':
    'You are editing an old revision of this page. If you save it, changes made after it may be undone.',
  'edit-not-saved': 'This is only a preview. Your changes are not saved yet.',
  'preview-heading': 'Preview',
  'changes-heading': 'Your changes',
  'preview-empty': 'The text is empty.',
  'preview-code': 'Pages of this kind are shown as they are.',
  'edit-conflict':
    'Someone else changed this page since you began to edit it. The first text below is the present one, the second is yours. Put your changes into the first text: only this one is saved.',
  'edit-conflict-exists':
    'Someone else created this page since you began to write it. The first text below is theirs, the second is yours. Put your text into the first: only this one is saved.',
  'edit-gone':
    'This page was deleted since you began to edit it. If you save your text, the page is created again.',
  'your-text': 'Your text',
  'conflict-differences': 'Differences between the present text and yours',
  'edit-lost-session':
    'The server could not tell that this form came from you: your session has ended, or your browser refuses cookies. Your text is not saved. Please save it again.',
  'edit-refused': 'Your text is not saved: $1',
  'source-read-only': 'You cannot edit this page: $1',
  'must-log-in': 'Only users who are logged in can edit pages here. $1.',
  'source-hidden': 'The text of this page is hidden.',
  'no-form': 'This page takes no forms.',
  // Accounts
  'my-changes': 'My changes',
  'create-account': 'Create an account',
  'create-account-invite': 'No account yet? $1',
  'create-account-password': 'Password, at least $1 characters',
  'create-account-retype': 'The same password again',
  'create-account-closed': 'Readers cannot create accounts here. Ask the operator of the wiki for one.',
  'create-account-name':
    'This name cannot be used. It must not look like an address, nor have signs that titles cannot have.',
  'create-account-taken': 'This name is taken. Please choose another one.',
  'create-account-retype-wrong': 'The two passwords differ. Please type them again.',
  'create-account-password-wrong': 'This password cannot be used: $1.',
  'create-account-throttled': 'Too many accounts came from your network today. Please try again tomorrow.',
  'login-heading': 'Log in',
  'login-name': 'User name',
  'login-password': 'Password',
  'login-wrong': 'Incorrect user name or password. Please try again.',
  'login-throttled': 'There were too many attempts to log in lately. Please wait five minutes and try again.',
  'login-token':
    'Your browser did not send the cookie of this form. Allow cookies for this site, and try again.',
  'login-done': 'You are logged in as $1.',
  'login-shared':
    'Pages look the same for everyone. Your name appears where you edit, and in the history of pages you change.',
  'logout-heading': 'Log out',
  'logout-ask': 'You are logged in as $1.',
  'logout-done': 'You are logged out.',
  'logout-nobody': 'You are not logged in.',
  'cross-site': 'This form was sent by a page of another site. Nothing was changed.',
} as const

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
  variants: 'Variants of the language',
  'tab-page': 'Page',
  'tab-special': 'Special page',
  'tab-talk': 'Discussion',
  'tab-read': 'Read',
  'tab-edit': 'Edit',
  'tab-history': 'History',
  expand: 'show',
  collapse: 'hide',
  'table-frame': 'Table',
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
  ...TOOL_MESSAGES,
} as const

export type MessageKey = keyof typeof MESSAGES

/** Words of a wiki's own, by the names of messages here. */
export type OwnWords = ReadonlyMap<MessageKey, string>

/** Pages of the namespace MediaWiki that have the wiki's own words. The first one that exists counts. */
export const WORD_PAGES: readonly (readonly [key: MessageKey, ...pages: string[]])[] = [
  ['search', 'Searchbutton', 'Search'],
  ['main-page', 'Mainpage-description', 'Mainpage'],
  ['all-pages', 'Allpages'],
  ['all-pages-heading', 'Allpages'],
  ['recent-changes', 'Recentchanges'],
  ['recent-heading', 'Recentchanges'],
  ['random-page', 'Randompage'],
  ['special-pages', 'Specialpages'],
  ['special-heading', 'Specialpages'],
  ['statistics', 'Statistics'],
  ['statistics-heading', 'Statistics'],
  ['prefix-heading', 'Prefixindex'],
  ['files-heading', 'Listfiles'],
  ['log-heading', 'Log'],
  ['version-heading', 'Version'],
  ['search-heading', 'Searchresults'],
  ['log-in', 'Login'],
  ['navigation', 'Navigation'],
  ['contents', 'Toc'],
  ['expand', 'Showtoc', 'Show'],
  ['collapse', 'Hidetoc', 'Hide'],
  ['tab-page', 'Nstab-main'],
  ['tab-talk', 'Talk'],
  ['tab-read', 'Vector-view-view', 'View'],
  ['edit-section', 'Editsection'],
  ['tab-edit', 'Vector-view-edit', 'Edit'],
  ['tab-source', 'Vector-view-viewsource', 'Viewsource'],
  ['tab-history', 'Vector-view-history', 'History_short'],
  ['categories', 'Categories'],
  ['redirected-from', 'Redirectedfrom'],
  ['tools', 'Toolbox'],
  ['tool-links', 'Whatlinkshere'],
  ['tool-related', 'Recentchangeslinked-toolbox'],
  ['tool-info', 'Pageinfo-toolboxlink'],
  ['tool-cite', 'Citethispage-link'],
  ['links-heading', 'Whatlinkshere-title'],
  ['use-template', 'Istemplate'],
  ['use-file', 'Isimage'],
  ['use-redirect', 'Isredirect'],
  ['related-heading', 'Recentchangeslinked-title'],
  ['new-pages-heading', 'Newpages'],
  ['contributions-heading', 'Contributions-title'],
  ['contributions-link', 'Contribslink'],
  ['talk-link', 'Talkpagelinktext'],
  ['info-heading', 'Pageinfo-title'],
  ['permanent-link-heading', 'Permanentlink'],
  ['history-heading', 'History-title'],
  ['comparison-heading', 'Difference-title'],
  ['compare-selected', 'Compareselectedversions'],
  ['link-cur', 'Cur'],
  ['link-prev', 'Last'],
  ['link-diff', 'Diff'],
  ['link-hist', 'Hist'],
  ['newest', 'Histlast'],
  ['older-change', 'Previousdiff'],
  ['newer-change', 'Nextdiff'],
  ['revision-of', 'Revisionasof'],
  ['latest-revision-of', 'Currentrev-asof'],
  ['username-removed', 'Rev-deleted-user'],
  ['comment-removed', 'Rev-deleted-comment'],
  ['minor-edit', 'Minoreditletter'],
  ['minor-edit-title', 'Recentchanges-label-minor'],
  ['bot-edit', 'Boteditletter'],
  ['bot-edit-title', 'Recentchanges-label-bot'],
  ['new-page', 'Newpageletter'],
  ['new-page-title', 'Recentchanges-label-newpage'],
  ['reverted-edit', 'Tag-mw-reverted'],
  ['search-for', 'Searchresults-title'],
  ['special-lists', 'Specialpages-group-pages'],
  ['special-changes', 'Specialpages-group-changes'],
  ['special-account', 'Specialpages-group-login'],
  ['edit-heading', 'Editing'],
  ['section-heading', 'Editingsection'],
  ['create-heading', 'Creating'],
  ['source-heading', 'Viewsource-title'],
  ['edit-summary', 'Summary'],
  ['edit-minor', 'Minoredit'],
  ['edit-save', 'Savechanges', 'Savearticle'],
  ['edit-preview', 'Showpreview'],
  ['edit-changes', 'Showdiff'],
  ['edit-cancel', 'Cancel'],
  ['my-changes', 'Mycontris'],
  ['log-out', 'Userlogout', 'Logout'],
]

const MAX_WORD_LENGTH = 80
/** Templates, links, tags, references, bold text, values, and controls such as those of direction. */
const NOT_PLAIN = /[<>{}[\]&$\p{Cc}\p{Cf}\u2028\u2029]|''|__|~~~/u
const VALUE = /\$1(?!\d)/g

/**
 * The word that a page of the namespace MediaWiki has; undefined for markup, several lines or long texts. Where the
 * message has one value, the word has it once, too.
 */
export function plainWord(wikitext: string, key?: MessageKey): string | undefined {
  if (wikitext.length > 2 * MAX_WORD_LENGTH) return undefined
  const word = wikitext.trim()
  // A hyphen switches a part of MediaWiki's pages off.
  const isWord = word !== '' && word !== '-' && word.length <= MAX_WORD_LENGTH && word.isWellFormed()
  const values = key !== undefined && MESSAGES[key].includes('$1') ? 1 : 0
  const plain = values === 0 ? word : word.replace(VALUE, '')
  const hasValues = values === 0 || word.split(VALUE).length === 1 + values
  return isWord && hasValues && !NOT_PLAIN.test(plain) ? word : undefined
}

/** Who speaks: a wiki, whose own words come before the English ones. */
export interface Speaker {
  readonly words: OwnWords
  readonly language: string
}

/** A message as plain text: in the wiki's own words if it has some. */
export function wordOf({ words }: Pick<Speaker, 'words'>, key: MessageKey, value = ''): string {
  return words.get(key)?.replace(VALUE, () => value) ?? text(key, value)
}

/** The same as content, with the language of own words. The value may be HTML. */
export function word(site: Speaker, key: MessageKey, value?: Fragment): Fragment {
  const own = site.words.get(key)
  if (own === undefined) return value === undefined ? text(key) : sentence(key, value)
  const [before, ...after] = own.split(VALUE)
  return html`<span lang="${site.language}" dir="auto">${before}${after.map((part) => [value, part])}</span>`
}

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
