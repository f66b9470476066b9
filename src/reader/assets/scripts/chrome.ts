/**
 * Script for the parts around the text: colour theme, menus, contents list. A browser that forbids storage throws; the
 * chosen theme then holds for this page alone.
 */
export const CHROME_SCRIPT = `{
const root = document.documentElement
const themes = document.querySelector('.theme-switch')
const stored = () => {
  try { return localStorage.getItem('theme') || 'system' } catch { return 'system' }
}
if (themes) {
  themes.hidden = false
  for (const input of themes.querySelectorAll('input')) input.checked = input.value === stored()
  themes.addEventListener('change', ({ target }) => {
    root.classList.remove('theme-dark', 'theme-light')
    if (target.value !== 'system') root.classList.add('theme-' + target.value)
    try { localStorage.setItem('theme', target.value) } catch {}
  })
}

// Menus close when the reader goes on elsewhere.
const menus = document.querySelectorAll('details.menu, details.languages, details.tools')
const closeMenus = (except) => {
  for (const menu of menus) if (menu !== except && !menu.contains(except)) menu.open = false
}
document.addEventListener('click', ({ target }) => closeMenus(target))
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  for (const menu of menus) {
    if (menu.open && menu.contains(document.activeElement)) menu.querySelector('summary').focus()
    menu.open = false
  }
})

// On small screens the contents are a sheet, which goes with the choice. Beside the text they show where the reader is.
const contents = document.querySelector('.contents details')
if (contents) {
  const sheet = contents.parentElement
  const isSheet = matchMedia('(max-width: 999.9px)')
  const closeSheet = () => sheet.hidePopover && sheet.hidePopover()
  isSheet.addEventListener('change', closeSheet)
  sheet.addEventListener('click', ({ target }) => {
    if (isSheet.matches && target.closest('a')) closeSheet()
  })
  const links = new Map()
  for (const link of contents.querySelectorAll('a[href*="#"]')) {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    if (heading) links.set(heading, link)
  }
  const headings = [...links.keys()]
  let shown
  let waits = false
  const mark = () => {
    waits = false
    if (isSheet.matches) return
    let current = headings[0]
    for (const heading of headings) {
      if (heading.getBoundingClientRect().top > 100) break
      current = heading
    }
    const link = links.get(current)
    if (link === shown) return
    if (shown) shown.classList.remove('is-shown')
    shown = link
    if (!link) return
    link.classList.add('is-shown')
    if (link.offsetTop < sheet.scrollTop || link.offsetTop > sheet.scrollTop + sheet.clientHeight - 40)
      sheet.scrollTop = link.offsetTop - sheet.clientHeight / 3
  }
  addEventListener('scroll', () => {
    if (waits) return
    waits = true
    requestAnimationFrame(mark)
  }, { passive: true })
  mark()
}

const redirect = document.querySelector('[data-redirect-section]')
if (redirect && !location.hash) {
  const section = document.getElementById(redirect.dataset.redirectSection)
  if (section) {
    section.dispatchEvent(new Event('beforematch', { bubbles: true }))
    section.scrollIntoView()
  }
}
}
`
