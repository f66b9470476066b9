/**
 * Script for the sections of a page. On phones those of the second level fold. The style sheet hides them before the
 * first paint. This script puts each into an element that the browser's own search looks into.
 * Tables that are wider than the text get a frame that scrolls, which the keyboard reaches.
 */
import { PHONE_WIDTH } from '../phoneStyle.js'

export const SECTIONS_SCRIPT = `{
const content = document.querySelector('.content > .mw-parser-output')
const isPhone = matchMedia('(max-width: ${PHONE_WIDTH})')
const words = document.body.dataset
const headings = ':scope > section > h2:first-child, :scope > section > .mw-heading2:first-child'
const folds = new Map()

// Newer HTML has an element around each heading.
const headingIn = (element) => element.querySelector('h1, h2, h3, h4, h5, h6') || element
const targetOf = (hash) => {
  try { return document.getElementById(decodeURIComponent(hash.slice(1))) } catch { return null }
}
const show = (section) => {
  const { body, button } = folds.get(section)
  const isOpen = section.classList.contains('is-open') || !isPhone.matches
  if (isOpen) body.removeAttribute('hidden')
  else body.setAttribute('hidden', 'until-found')
  button.disabled = !isPhone.matches
  button.setAttribute('aria-expanded', String(isOpen))
  if (!button.hasChildNodes()) button.setAttribute('aria-label', isOpen ? words.collapse : words.expand)
}
const fold = (heading) => {
  const section = heading.parentElement
  const title = headingIn(heading)
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'fold'
  // A link would not work inside of a button.
  if (!title.querySelector('a:not(.mw-editsection)')) button.append(...[...title.childNodes].filter((node) => node.className !== 'mw-editsection'))
  title.prepend(button)
  const body = document.createElement('div')
  body.className = 'section-body'
  while (heading.nextSibling) body.append(heading.nextSibling)
  section.append(body)
  folds.set(section, { body, button })
  button.addEventListener('click', () => {
    section.classList.toggle('is-open')
    show(section)
  })
}
const open = (target) => {
  for (const [section] of folds) {
    if (!section.contains(target) || section.classList.contains('is-open')) continue
    section.classList.add('is-open')
    show(section)
    return true
  }
}
const foldAll = () => {
  if (isPhone.matches && folds.size === 0 && content.closest('.has-contents'))
    for (const heading of content.querySelectorAll(headings)) fold(heading)
  for (const [section] of folds) show(section)
}

const titleOf = (heading) =>
  [...heading.childNodes].filter((node) => node.className !== 'mw-editsection').map((node) => node.textContent).join('')
// Sections that templates write have no number, or a negative one.
const addEditLinks = ({ edit, editWord }) => {
  if (!edit || content.querySelector('meta[property="mw:PageProp/noeditsection"]')) return
  let last = 0
  for (const section of content.querySelectorAll('section[data-mw-section-id]')) {
    const first = section.querySelector(':scope > :is(h1, h2, h3, h4, h5, h6, .mw-heading):first-child')
    const number = Number(section.dataset.mwSectionId)
    if (!first || !(number > 0)) continue
    // After a part that is not included elsewhere, the engine counts from 1 again.
    if (number <= last) break
    last = number
    const heading = headingIn(first)
    const link = document.createElement('a')
    link.className = 'mw-editsection'
    link.href = edit + '&section=' + number
    link.rel = 'nofollow'
    link.textContent = editWord
    link.title = editWord + ': ' + titleOf(heading).trim()
    heading.append(link)
  }
}

// Beside or below the text: what is wider gets a frame.
const tables = 'table:not(table table, .table-frame > table, .infobox, .navbox, .diff)'
const frame = () => {
  const wide = [...content.querySelectorAll(tables)].filter((table) => {
    if (table.closest('[hidden]')) return false
    return Math.max(table.scrollWidth, table.offsetWidth) > table.parentElement.clientWidth + 1
  })
  for (const code of content.querySelectorAll('pre:not([tabindex])'))
    if (code.scrollWidth > code.clientWidth && !code.closest('[hidden]')) code.tabIndex = 0
  for (const table of wide) {
    const box = document.createElement('div')
    box.className = 'table-frame'
    box.tabIndex = 0
    box.setAttribute('role', 'group')
    const title = table.caption || table.closest('section')?.querySelector('h1, h2, h3, h4, h5, h6')
    box.setAttribute('aria-label', ((title && titleOf(title).trim()) || words.table).slice(0, 100))
    table.replaceWith(box)
    box.append(table)
  }
}

if (content) {
  addEditLinks(content.parentElement.dataset)
  foldAll()
  isPhone.addEventListener('change', foldAll)
  content.addEventListener('beforematch', ({ target }) => open(target))
  addEventListener('hashchange', () => {
    const target = targetOf(location.hash)
    if (target && open(target)) target.scrollIntoView()
  })
  document.addEventListener('click', ({ target }) => {
    const link = target.closest && target.closest('a[href*="#"]')
    const place = link && link.pathname === location.pathname && targetOf(link.hash)
    if (place) open(place)
  })
  frame()
  new ResizeObserver(() => requestAnimationFrame(frame)).observe(content)
}
}
`
