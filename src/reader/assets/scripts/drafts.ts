import { BESIDE_WIDTH } from '../viewsStyle.js'

/**
 * Script for the form that edits a page. It keeps a draft in the browser until the text is saved. It warns before the
 * reader leaves an unsaved text. A preview shows the place of the text at which the reader was. A browser that forbids
 * storage keeps no draft.
 */
export const DRAFTS_SCRIPT = `{
const PREFIX = 'draft:'
const SAVED = 'saved-draft'
const PLACE = 'edit-place'
const MAX_AGE_MS = 30 * 86400000
const WRITE_MS = 400
const form = document.querySelector('form.edit')

const attempt = (work) => {
  try { return work() } catch { return undefined }
}
const readDraft = (key) => attempt(() => JSON.parse(localStorage.getItem(key)))

// The form was sent to be saved. If the page itself came back, the text is safe.
attempt(() => {
  const saved = JSON.parse(sessionStorage.getItem(SAVED) || 'null')
  sessionStorage.removeItem(SAVED)
  const isPage = saved && saved.path === location.pathname && !/[?&]action=/.test(location.search)
  if (isPage) localStorage.removeItem(saved.key)
})

if (form) {
  const { wpTextbox1: area, wpSummary: summary, wpSection: section, parentRevId: base } = form.elements
  const path = new URL(form.dataset.page, location.href).pathname
  const key = PREFIX + path + (section ? '#' + section.value : '')
  // A text that came back from the server is not saved.
  const isSent = /[?&]action=submit/.test(location.search)
  const before = { text: area.defaultValue, summary: summary.defaultValue, base: base.value }
  let isLeaving = false
  let timer
  const isDirty = () => isSent || area.value !== before.text

  const write = () => {
    clearTimeout(timer)
    timer = undefined
    attempt(() => {
      if (!isDirty()) return localStorage.removeItem(key)
      const draft = { text: area.value, summary: summary.value, base: base.value, time: Date.now() }
      localStorage.setItem(key, JSON.stringify(draft))
    })
  }
  const warn = (event) => {
    if (isDirty() && !isLeaving) event.preventDefault()
  }
  const fill = ({ text, summary: words, base: revision }) => {
    area.value = text
    summary.value = words
    base.value = revision
  }
  const watch = () => {
    addEventListener('beforeunload', warn)
    if (timer === undefined) timer = setTimeout(write, WRITE_MS)
  }
  const restore = (draft) => {
    fill(draft)
    addEventListener('beforeunload', warn)
    const notice = document.createElement('p')
    notice.className = 'notice'
    notice.setAttribute('role', 'status')
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = form.dataset.discard
    button.addEventListener('click', () => {
      fill(before)
      write()
      notice.remove()
      area.focus()
    })
    const when = new Date(draft.time).toLocaleString(document.documentElement.lang || undefined)
    notice.append(form.dataset.restored.replace('$1', () => when), ' ', button)
    form.before(notice)
  }

  const scrolls = (element) => element.scrollHeight - element.clientHeight
  const goBack = () => {
    const place = JSON.parse(sessionStorage.getItem(PLACE) || 'null')
    sessionStorage.removeItem(PLACE)
    if (!isSent || !place || place.key !== key) return
    area.setSelectionRange(place.start, place.end)
    area.scrollTop = place.top
    const pane = document.querySelector('.is-beside')
    if (!pane || !matchMedia('(min-width:${BESIDE_WIDTH})').matches) return
    pane.scrollTop = scrolls(pane) * place.top / Math.max(1, scrolls(area))
    area.focus({ preventScroll: true })
  }
  attempt(goBack)

  attempt(() => {
    for (const name of Object.keys(localStorage))
      if (name.startsWith(PREFIX) && !(Date.now() - (readDraft(name)?.time ?? 0) < MAX_AGE_MS)) localStorage.removeItem(name)
  })
  const draft = isSent ? undefined : readDraft(key)
  if (draft && draft.text !== before.text) attempt(() => restore(draft))
  else if (isSent) addEventListener('beforeunload', warn)
  else attempt(() => localStorage.removeItem(key))
  form.addEventListener('input', watch)
  addEventListener('pagehide', () => {
    if (timer !== undefined) write()
  })
  addEventListener('pageshow', () => {
    isLeaving = false
  })
  form.addEventListener('submit', ({ submitter }) => {
    if (timer !== undefined) write()
    isLeaving = true
    const { selectionStart: start, selectionEnd: end, scrollTop: top } = area
    const isSaved = submitter && submitter.name === 'wpSave'
    attempt(() => sessionStorage.setItem(...(isSaved
      ? [SAVED, JSON.stringify({ key, path })]
      : [PLACE, JSON.stringify({ key, start, end, top })])))
  })
}
}
`
