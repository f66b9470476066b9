/**
 * Script for the search box: it completes titles while the reader types. If few begin so, titles follow that have the
 * words elsewhere. The last line leads to the search of texts.
 */
export const COMPLETION_SCRIPT = `{
const form = document.querySelector('form.search')
const input = form && form.querySelector('input')
if (input) {
  const DELAY_MS = 120
  const MOST_TITLES = 8
  /** With fewer titles, others follow. */
  const FEW_TITLES = 4
  /** Pages with the words in their title come first, but for a few. */
  const SEARCHED_PAGES = 20
  const list = document.createElement('ul')
  list.className = 'completions'
  list.id = 'reader-completions'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', input.getAttribute('aria-label'))
  list.hidden = true
  form.append(list)
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-autocomplete', 'list')
  input.setAttribute('aria-controls', list.id)
  let chosen = -1
  let timer
  let asked = ''
  let request

  const close = () => {
    list.hidden = true
    chosen = -1
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
  const choose = (index) => {
    const items = list.children
    if (items[chosen]) items[chosen].setAttribute('aria-selected', 'false')
    chosen = items.length === 0 ? -1 : (index + items.length) % items.length
    if (!items[chosen]) return
    items[chosen].setAttribute('aria-selected', 'true')
    input.setAttribute('aria-activedescendant', items[chosen].id)
  }
  const element = (name, text) => {
    const made = document.createElement(name)
    if (text) made.textContent = text
    return made
  }
  const itemOf = ({ key, href, title, description, thumbnail }, index) => {
    const item = element('li')
    item.id = 'reader-completion-' + index
    item.setAttribute('role', 'option')
    item.setAttribute('aria-selected', 'false')
    const link = element('a')
    link.href = href || './' + encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%3A', ':')
    link.tabIndex = -1
    if (thumbnail) {
      const image = element('img')
      image.className = 'thumb'
      image.alt = ''
      image.src = thumbnail.url
      link.append(image)
    }
    const words = element('span')
    const name = element('b', title)
    name.dir = 'auto'
    words.append(name)
    if (description) words.append(element('small', description))
    link.append(words)
    item.append(link)
    return item
  }
  const ask = async (path, limit, text) => {
    const { variant } = form.dataset
    const shown = variant ? '&variant=' + variant : ''
    const url = document.body.dataset.api + path + '?limit=' + limit + shown + '&q=' + encodeURIComponent(text)
    const answer = await fetch(url, { signal: request.signal })
    return answer.ok ? (await answer.json()).pages : []
  }
  const wordsOf = (text) =>
    text.normalize('NFKD').replace(/\\p{M}/gu, '').toLowerCase().split(/[^\\p{L}\\p{N}]+/u).filter(Boolean)
  /** Scripts without capitals may write without spaces. */
  const hasWords = (title, words) => {
    const inTitle = ' ' + wordsOf(title).join(' ')
    return words.every((word) => inTitle.includes(word === word.toUpperCase() ? word : ' ' + word))
  }
  const titlesFor = async (text) => {
    const titles = await ask('/search/title', MOST_TITLES, text)
    if (titles.length >= FEW_TITLES) return titles
    const known = new Set(titles.map(({ key }) => key))
    const words = wordsOf(text)
    const others = (await ask('/search/page', SEARCHED_PAGES, text)).filter(
      ({ key, title }) => !known.has(key) && hasWords(title, words),
    )
    return [...titles, ...others].slice(0, MOST_TITLES)
  }
  const complete = async () => {
    const text = input.value.trim()
    if (text === asked && !list.hidden) return
    asked = text
    if (request) request.abort()
    if (text === '') return close()
    request = new AbortController()
    try {
      const pages = await titlesFor(text)
      if (text !== input.value.trim() || document.activeElement !== input) return
      const title = form.dataset.texts.replace('$1', () => text)
      const search = { title, href: form.action + '?search=' + encodeURIComponent(text) }
      list.replaceChildren(...[...pages, search].map(itemOf))
      chosen = -1
      list.hidden = false
      input.setAttribute('aria-expanded', 'true')
    } catch (error) {
      if (error.name !== 'AbortError') close()
    }
  }
  close()
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(complete, DELAY_MS)
  })
  input.addEventListener('keydown', (event) => {
    const { key } = event
    if (list.hidden) return
    if (key === 'ArrowDown') choose(chosen + 1)
    else if (key === 'ArrowUp') choose(chosen < 0 ? -1 : chosen - 1)
    else if (key === 'Escape') close()
    else if (key === 'Enter' && list.children[chosen]) list.children[chosen].firstChild.click()
    else return
    event.preventDefault()
  })
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  input.addEventListener('blur', close)
}
}
`
