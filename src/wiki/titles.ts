/** Checks of titles for pages to be saved. */
import type { InterwikiMap } from '../domain/interwiki.js'
import type { Namespaces } from '../domain/namespaces.js'
import { type ParsedTitle, parseTitle, type Title } from '../domain/title.js'
import { foreignTitle, unusableTitle } from '../edit/titleErrors.js'
import { refusalOf } from './saving.js'

/** A title that an existing page may have. Throws a Refusal: invalidtitle, pagecannotexist. */
export function requireUsableTitle(asked: string, namespaces: Namespaces): Title {
  const parsed = parseTitle(asked, namespaces)
  const error = unusableTitle(asked, parsed)
  if (error !== undefined) throw refusalOf(error)
  // A title that cannot be parsed has failed the check above.
  return (parsed as Extract<ParsedTitle, { ok: true }>).title
}

/** A title for a new page, without the prefix of another wiki. Throws a Refusal as above. */
export function requireNewTitle(asked: string, namespaces: Namespaces, interwiki: InterwikiMap): Title {
  const title = requireUsableTitle(asked, namespaces)
  const error = foreignTitle(asked, title, interwiki)
  if (error !== undefined) throw refusalOf(error)
  return title
}
