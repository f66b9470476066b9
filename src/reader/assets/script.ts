/** The scripts of the pages. Everything works without them. */
import { CHROME_SCRIPT } from './scripts/chrome.js'
import { COMPLETION_SCRIPT } from './scripts/completion.js'
import { PREVIEWS_SCRIPT } from './scripts/previews.js'
import { TABLES_SCRIPT } from './scripts/tables.js'

/** Each part is a block with names of its own. */
export const SCRIPT = `'use strict'\n${[CHROME_SCRIPT, COMPLETION_SCRIPT, TABLES_SCRIPT, PREVIEWS_SCRIPT].join('')}`

/**
 * Runs before the first paint: sets the colour theme that the reader chose, so that the page does not flash. A browser
 * that forbids storage throws; the theme of the system then stays.
 */
export const THEME_SCRIPT = `try {
  const theme = localStorage.getItem('theme')
  if (theme === 'dark' || theme === 'light') document.documentElement.classList.add('theme-' + theme)
} catch {}
`
