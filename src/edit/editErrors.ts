/** Why an edit is refused: MediaWiki's keys and English texts, with $1, $2 for arguments. */
export const EDIT_ERRORS = {
  invalidtitle: 'Bad title "$1".',
  pagecannotexist: "Namespace doesn't allow actual pages.",
  'rest-bad-content-model': 'Bad content model: $1',
  cantchangecontentmodel: "You don't have permission to change the content model of a page.",
  'contentmodel-mismatch':
    'The content you supplied has <kbd>$1</kbd> content model, which differs from the current content model of the page <kbd>$2</kbd>.',
  'invalid-json-data': 'Invalid JSON: $1',
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

export type EditErrorKey = keyof typeof EDIT_ERRORS

/** `args` take the places of $1 and $2 in the text of the key. */
export interface EditError {
  readonly key: EditErrorKey
  readonly args: readonly string[]
}

export function editError(key: EditErrorKey, ...args: string[]): EditError {
  return { key, args }
}
