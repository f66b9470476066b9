/** Titles that somebody wants to save a page under. */
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
  // A title that cannot be parsed is not usable.
  return (parsed as Extract<ParsedTitle, { ok: true }>).title
}

/** A title under which a page can be created: no other wiki's. Throws a Refusal as above. */
export function requireNewTitle(asked: string, namespaces: Namespaces, interwiki: InterwikiMap): Title {
  const title = requireUsableTitle(asked, namespaces)
  const error = foreignTitle(asked, title, interwiki)
  if (error !== undefined) throw refusalOf(error)
  return title
}
