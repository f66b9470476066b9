/** Titles that nobody may save a page under, or only some editors. */
import { MEDIAWIKI, SPECIAL, USER } from '../domain/namespaceIds.js'
import type { KnownContentModel } from '../domain/contentModel.js'
import { type InterwikiMap, interwikiPrefixOf } from '../domain/interwiki.js'
import type { ParsedTitle, Title } from '../domain/title.js'
import { cutLetters } from './comment.js'
import { editError, type EditError, type EditErrorKey } from './editErrors.js'

/** Signs with a meaning in wikitext: everywhere, at the start of a line, or next to other signs. */
const SPECIAL_SIGNS =
  /["&';<=>[\]{|}]|(?<![^\n\r])(?:[ \t\r#*:]|-(?=---))|(?<![^\n])\n|\r(?=\n)|(?<=_)_|:(?=\/\/)/g
const MAX_SHOWN_LETTERS = 500

/** The editor, as far as title rules need to know. */
export interface TitleEditor {
  /** User name, or the address of an anonymous editor. */
  readonly name: string
  readonly anonymous: boolean
  /** MediaWiki's names of rights, such as `editinterface` and `edituserjs`. */
  readonly rights: ReadonlySet<string>
}

/**
 * Reason why no page can have a title. `invalidtitle` quotes the text as it was sent. `pagecannotexist` covers a
 * fragment alone and the namespaces without pages.
 */
export function unusableTitle(text: string, parsed: ParsedTitle): EditError | undefined {
  if (parsed.ok) return parsed.title.namespace <= SPECIAL ? editError('pagecannotexist') : undefined
  if (parsed.error === 'fragment-only') return editError('pagecannotexist')
  return editError('invalidtitle', escapeSigns(text))
}

/**
 * `invalidtitle` for a title that begins with an interwiki prefix. No page can be created there, but a page that came
 * with a dump under such a title can be edited.
 */
export function foreignTitle(text: string, title: Title, interwiki: InterwikiMap): EditError | undefined {
  const prefix = interwikiPrefixOf(title, interwiki)
  return prefix === undefined ? undefined : editError('invalidtitle', escapeSigns(text))
}

/**
 * Reason why this editor may not save a page of that title; `contentModel` is its present or future model.
 *
 * - Pages in the MediaWiki namespace need the right `editinterface`.
 * - CSS, JavaScript and JSON on a sub page of a user need `editusercss`, `edituserjs` or `edituserjson`. The user may
 *   save them as well, unless anonymous.
 */
export function protectedTitle(
  title: Title,
  contentModel: KnownContentModel,
  editor: TitleEditor,
): EditError | undefined {
  if (title.namespace === MEDIAWIKI) {
    return editor.rights.has('editinterface') ? undefined : editError('protectednamespace-interface')
  }
  const slash = title.dbkey.indexOf('/')
  if (title.namespace !== USER || slash < 0) return undefined
  const protection = USER_PAGES.get(contentModel)
  if (protection === undefined || editor.rights.has(protection.right)) return undefined
  const own = title.dbkey.slice(0, slash) === editor.name.replaceAll(' ', '_')
  if (!own) return editError(protection.others)
  return editor.anonymous ? editError(protection.own) : undefined
}

interface Protection {
  readonly right: string
  readonly own: EditErrorKey
  readonly others: EditErrorKey
}

const USER_PAGES: ReadonlyMap<KnownContentModel, Protection> = new Map<KnownContentModel, Protection>([
  ['css', { right: 'editusercss', own: 'mycustomcssprotected', others: 'customcssprotected' }],
  ['javascript', { right: 'edituserjs', own: 'mycustomjsprotected', others: 'customjsprotected' }],
  ['json', { right: 'edituserjson', own: 'mycustomjsonprotected', others: 'customjsonprotected' }],
])

/** Writes signs of wikitext as numeric references: `A&#124;b` for `A|b`. Cuts very long titles. */
function escapeSigns(text: string): string {
  const shown = cutLetters(text, MAX_SHOWN_LETTERS).normalize('NFC')
  return shown.replace(SPECIAL_SIGNS, (sign) => `&#${sign.charCodeAt(0)};`)
}
