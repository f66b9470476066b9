/** The scripts of the pages. Everything works without them. */
import { CHROME_SCRIPT } from './scripts/chrome.js'
import { COMPLETION_SCRIPT } from './scripts/completion.js'
import { DRAFTS_SCRIPT } from './scripts/drafts.js'
import { OFFLINE_SCRIPT } from './scripts/offline.js'
import { PREVIEWS_SCRIPT } from './scripts/previews.js'
import { SECTIONS_SCRIPT } from './scripts/sections.js'
import { TABLES_SCRIPT } from './scripts/tables.js'

/** Each part is a block with names of its own. */
const PARTS = [
  ...[SECTIONS_SCRIPT, CHROME_SCRIPT, COMPLETION_SCRIPT, TABLES_SCRIPT],
  ...[PREVIEWS_SCRIPT, DRAFTS_SCRIPT, OFFLINE_SCRIPT],
]
export const SCRIPT = `'use strict'\n${PARTS.join('')}`

/**
 * Runs before the first paint. The class `client-js` says that the scripts will come; if they do not load, it goes. The
 * section that the address names is open as soon as it is there: browsers set `:target` later. The script also sets the
 * colour theme that the reader chose, so that the page does not flash. A browser that forbids storage throws; the theme
 * of the system then stays.
 */
export const THEME_SCRIPT = `{
const { classList } = document.documentElement
classList.add('client-js')
addEventListener('error', ({ target }) => {
  if (target.tagName === 'SCRIPT') classList.remove('client-js')
}, true)
try {
  const asked = decodeURIComponent(location.hash.slice(1))
  const open = (_records, observer) => {
    const target = document.getElementById(asked)
    if (!target) return
    observer.disconnect()
    target.closest('.mw-parser-output > section')?.classList.add('is-open')
  }
  if (asked) new MutationObserver(open).observe(document, { childList: true, subtree: true })
} catch {}
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'dark' || theme === 'light') classList.add('theme-' + theme)
} catch {}
}
`
