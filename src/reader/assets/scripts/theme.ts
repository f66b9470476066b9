/**
 * Runs before the first paint: sets the colour theme that the reader chose, so that the page does not flash. A browser
 * that forbids storage throws; the theme of the system then stays.
 */
export const THEME_SCRIPT = `try {
  const theme = localStorage.getItem('theme')
  if (theme === 'dark' || theme === 'light') document.documentElement.classList.add('theme-' + theme)
} catch {}
`
