/** The built-in Lua libraries, by the names that the base chunk uses. */
import {
  EXT,
  BIT32,
  HASH,
  LIBRARY_UTIL,
  LUABIT_BIT,
  LUABIT_HEX,
  STRICT,
  QUERY,
  WIKIBASE,
} from './requiredLibraries.js'
import { HTML } from './html.js'
import { JSON_ENCODING } from './json.js'
import { LANGUAGE } from './language.js'
import { MESSAGE } from './message.js'
import { SITE } from './site.js'
import { TEXT } from './text.js'
import { TITLE } from './title.js'
import { URI } from './uri.js'
import { USTRING } from './ustring.js'

export const LIBRARIES: ReadonlyMap<string, string> = new Map([
  ['bit', LUABIT_BIT],
  ['bit32', BIT32],
  ['ext', EXT],
  ['hash', HASH],
  ['hex', LUABIT_HEX],
  ['html', HTML],
  ['json', JSON_ENCODING],
  ['language', LANGUAGE],
  ['libraryUtil', LIBRARY_UTIL],
  ['message', MESSAGE],
  ['query', QUERY],
  ['site', SITE],
  ['strict', STRICT],
  ['text', TEXT],
  ['title', TITLE],
  ['uri', URI],
  ['ustring', USTRING],
  ['wikibase', WIKIBASE],
])
