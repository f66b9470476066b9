/**
 * Script for previews: of pages that links lead to, and of the notes of references. If a preview cannot be loaded, none
 * is shown, and the link works as ever.
 */
export const PREVIEWS_SCRIPT = `{
const content = document.querySelector('main .mw-parser-output')
if (content && matchMedia('(hover: hover)').matches) {
  const OPEN_MS = 450
  const CLOSE_MS = 250
  const MAX_KNOWN = 100
  const REFERENCE = '.mw-ref a[href*="#"], .reference a[href*="#"]'
  const PAGE = 'a[rel~="mw:WikiLink"]:not(.new)'
  const known = new Map()
  let box
  let owner
  let timer

  const close = () => {
    clearTimeout(timer)
    if (box) box.remove()
    if (owner) owner.removeAttribute('aria-describedby')
    box = owner = undefined
  }
  const place = (link) => {
    const rects = link.getClientRects()
    const { left, right, top, bottom } = rects[0]
    const wide = document.documentElement.clientWidth
    const start = document.documentElement.dir === 'rtl' ? right - box.offsetWidth : left
    box.style.left = Math.max(12, Math.min(start, wide - box.offsetWidth - 12)) + scrollX + 'px'
    const above = top - box.offsetHeight - 6
    const fits = bottom + box.offsetHeight + 6 < innerHeight || above < 0
    box.style.top = (fits ? rects[rects.length - 1].bottom + 6 : above) + scrollY + 'px'
  }
  const show = (link, parts) => {
    close()
    box = document.createElement('div')
    box.className = 'preview'
    box.id = 'reader-preview'
    box.setAttribute('role', 'tooltip')
    box.append(...parts)
    box.addEventListener('mouseenter', () => clearTimeout(timer))
    box.addEventListener('mouseleave', () => later(close, CLOSE_MS))
    document.body.append(box)
    owner = link
    link.setAttribute('aria-describedby', box.id)
    place(link)
  }
  const later = (work, ms) => {
    clearTimeout(timer)
    timer = setTimeout(work, ms)
  }
  const noteParts = (link) => {
    const note = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    const text = note && (note.querySelector('.mw-reference-text, .reference-text') || note)
    if (!text) return undefined
    const copy = document.createElement('div')
    copy.className = 'note'
    copy.append(...[...text.childNodes].map((node) => node.cloneNode(true)))
    for (const element of copy.querySelectorAll('[id]')) element.removeAttribute('id')
    return [copy]
  }
  const pageParts = async (link) => {
    const url = new URL(link.href)
    if (url.origin !== location.origin || url.search || url.pathname === location.pathname) return undefined
    let facts = known.get(url.pathname)
    if (!facts) {
      const answer = await fetch(url.pathname + '?action=preview')
      if (!answer.ok) return undefined
      facts = await answer.json()
      if (known.size >= MAX_KNOWN) known.clear()
      known.set(url.pathname, facts)
    }
    if (!facts.text) return undefined
    const parts = []
    if (facts.picture) {
      const image = document.createElement('img')
      image.alt = ''
      image.src = facts.picture
      parts.push(image)
    }
    const text = document.createElement('p')
    text.dir = 'auto'
    text.textContent = facts.text
    return [...parts, text]
  }
  const open = async (link) => {
    try {
      const parts = link.matches(REFERENCE) ? noteParts(link) : await pageParts(link)
      if (parts && wanted === link) {
        if (link.title) {
          link.dataset.title = link.title
          link.removeAttribute('title')
        }
        show(link, parts)
      }
    } catch {}
  }
  let wanted
  const enter = ({ target }) => {
    const link = target.closest && target.closest(REFERENCE + ',' + PAGE)
    if (!link || link === owner) return clearTimeout(timer)
    wanted = link
    later(() => open(link), OPEN_MS)
  }
  const leave = ({ target }) => {
    if (!target.closest || !target.closest('a')) return
    wanted = undefined
    later(close, CLOSE_MS)
  }
  content.addEventListener('mouseover', enter)
  content.addEventListener('mouseout', leave)
  content.addEventListener('focusin', enter)
  content.addEventListener('focusout', leave)
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close()
  })
}
}
`
