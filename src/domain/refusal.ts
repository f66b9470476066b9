/**
 * Reasons to refuse a request: MediaWiki's keys and English texts, with $1, $2, … for arguments. They are independent
 * of the interface: HTTP adds status codes, a command prints the text.
 */

/** Reasons why a text cannot be saved under a title. */
export const EDIT_REFUSALS = {
  invalidtitle: 'Bad title "$1".',
  pagecannotexist: "Namespace doesn't allow actual pages.",
  'rest-bad-content-model': 'Bad content model: $1',
  cantchangecontentmodel: "You don't have permission to change the content model of a page.",
  'contentmodel-mismatch':
    'The content you supplied has <kbd>$1</kbd> content model, which differs from the current content model of the page <kbd>$2</kbd>.',
  'content-not-allowed-here': '"$1" content is not allowed on page [[:$2]] in slot "$3"',
  'invalid-json-data': 'Invalid JSON: $1',
  'scribunto-lua-error-location': 'Lua error $1: $2.',
  'scribunto-lua-error': 'Lua error: $2.',
  contenttoobig: 'The content you supplied exceeds the article size limit of $1 kibibytes.',
  'protectednamespace-interface':
    'This page provides interface text for the software on this wiki, and is protected to prevent abuse.',
  customcssprotected:
    "You do not have permission to edit this CSS page because it contains another user's personal settings.",
  customjsonprotected:
    "You do not have permission to edit this JSON page because it contains another user's personal settings.",
  customjsprotected:
    "You do not have permission to edit this JavaScript page because it contains another user's personal settings.",
  mycustomcssprotected: 'You do not have permission to edit this CSS page.',
  mycustomjsonprotected: 'You do not have permission to edit this JSON page.',
  mycustomjsprotected: 'You do not have permission to edit this JavaScript page.',
} as const satisfies Record<string, string>

export const REFUSALS = {
  ...EDIT_REFUSALS,
  'rest-invalid-token': 'The bearer token is unknown, malformed, revoked or expired.',
  'rest-insufficient-scope': 'The bearer token does not allow writing.',
  'rest-token-keys-unavailable': "The keys of the bearer token's issuer are not available at the moment.",
  'rest-cross-origin-anon-write': 'Pages of other sites can write here only for users who are logged in.',
  'rest-badtoken': 'Invalid CSRF token.',
  'rest-missing-token': 'The "token" parameter must be set.',
  actionthrottledtext:
    'As an anti-abuse measure, you are limited from performing this action too many times in a short space of time, and you have exceeded this limit. Please try again in a few minutes.',
  protectedpagetext: 'This page has been protected to prevent editing or other actions.',
  'apierror-readonly': 'The wiki is currently in read-only mode.',
  'rest-wiki-is-mirror': 'This wiki is a mirror of $1, and takes no edits itself.',
  'apierror-permissiondenied': 'The action you have requested is limited to users in the group: $1.',
  'apierror-articleexists': 'The article you tried to create has been created already.',
  'apierror-missingtitle': "The page you specified doesn't exist.",
  'apierror-editconflict': 'Edit conflict.',
} as const satisfies Record<string, string>

export type RefusalKey = keyof typeof REFUSALS
export type MessageArgument = string | number | bigint

/** A request that the wiki refuses. `args` replace $1, $2, … in the text of the key. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
  readonly key: RefusalKey
  readonly args: readonly MessageArgument[]

  constructor(key: RefusalKey, args: readonly MessageArgument[] = [], options: ErrorOptions = {}) {
    super(fillMessage(REFUSALS[key], args), options)
    this.key = key
    this.args = args
  }
}

/** Fills arguments in for $1, $2, …; a missing argument becomes an empty text. */
export function fillMessage(text: string, args: readonly MessageArgument[]): string {
  return text.replace(/\$(\d)/g, (_place, digit: string) => String(args[Number(digit) - 1] ?? ''))
}
