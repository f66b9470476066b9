/** Script for the search box: it completes titles while the reader types. */
export const COMPLETION_SCRIPT = `{
const form = document.querySelector('form.search')
const input = form && form.querySelector('input')
if (input) {
  const DELAY_MS = 120
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
  const itemOf = ({ key, title, description, thumbnail }, index) => {
    const item = element('li')
    item.id = 'reader-completion-' + index
    item.setAttribute('role', 'option')
    item.setAttribute('aria-selected', 'false')
    const link = element('a')
    link.href = './' + encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%3A', ':')
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
  const complete = async () => {
    const text = input.value.trim()
    if (text === asked && !list.hidden) return
    asked = text
    if (request) request.abort()
    if (text === '') return close()
    request = new AbortController()
    try {
      const url = document.body.dataset.api + '/search/title?limit=8&q=' + encodeURIComponent(text)
      const answer = await fetch(url, { signal: request.signal })
      if (!answer.ok) return close()
      const { pages } = await answer.json()
      if (text !== input.value.trim() || document.activeElement !== input) return
      list.replaceChildren(...pages.map(itemOf))
      chosen = -1
      list.hidden = pages.length === 0
      input.setAttribute('aria-expanded', String(!list.hidden))
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
