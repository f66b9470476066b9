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

// On small screens the contents list begins closed. Beside the text it shows where the reader is.
const contents = document.querySelector('.contents details')
if (contents && matchMedia('(max-width: 999.9px)').matches) contents.open = false
if (contents) {
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
    const box = contents.parentElement
    if (link.offsetTop < box.scrollTop || link.offsetTop > box.scrollTop + box.clientHeight - 40)
      box.scrollTop = link.offsetTop - box.clientHeight / 3
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
  if (section) section.scrollIntoView()
}
}
`
