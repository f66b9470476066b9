/** The scripts of the pages. Everything works without them. */
import { CHROME_SCRIPT } from './scripts/chrome.js'
import { COMPLETION_SCRIPT } from './scripts/completion.js'
import { PREVIEWS_SCRIPT } from './scripts/previews.js'
import { TABLES_SCRIPT } from './scripts/tables.js'
import { THEME_SCRIPT } from './scripts/theme.js'

/** Each part is a block with names of its own. */
export const SCRIPT = `'use strict'\n${[CHROME_SCRIPT, COMPLETION_SCRIPT, TABLES_SCRIPT, PREVIEWS_SCRIPT].join('')}`

export { THEME_SCRIPT }
