/** The scripts of the pages. Everything works without them. */

/** Runs before the first paint. */
export const THEME_SCRIPT = `document.documentElement.classList.remove('no-js')
`

export const SCRIPT = `'use strict'
`
