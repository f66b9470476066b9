/** Script for tables that sort, for parts that collapse, and for pictures and links without a text. */
export const TABLES_SCRIPT = `{
const NUMBER = /^[^0-9+\\-\\u2212.]*([+\\-\\u2212]?[0-9][0-9.,\\u00a0\\u202f' ]*(?:e[+-]?[0-9]+)?)/i
const collator = new Intl.Collator(document.documentElement.lang || undefined, { numeric: true })

const textOf = (cell) => {
  if (!cell) return ''
  const marked = cell.dataset.sortValue || cell.querySelector('[data-sort-value]')?.dataset.sortValue
  if (marked !== undefined) return marked
  const copy = cell.cloneNode(true)
  for (const note of copy.querySelectorAll('.mw-ref, .reference, style')) note.remove()
  return copy.textContent.trim()
}
const numberOf = (text) => {
  const found = NUMBER.exec(text)
  if (!found) return Number.NaN
  return Number(found[1].replace(/[,\\s\\u00a0\\u202f']/g, '').replace('\\u2212', '-'))
}
const headerRowOf = (table) => {
  const rows = [...table.rows].filter((row) => row.closest('table') === table)
  return rows.find((row) => row.cells.length > 0 && [...row.cells].every((cell) => cell.tagName === 'TH'))
}
// A cell over several rows goes into each of them, so that rows can move.
const splitCells = (rows) => {
  rows.forEach((row, index) => {
    for (const cell of [...row.cells]) {
      const span = cell.rowSpan
      if (span < 2) continue
      const at = cell.cellIndex
      cell.rowSpan = 1
      for (const other of rows.slice(index + 1, index + span)) other.insertBefore(cell.cloneNode(true), other.cells[at] || null)
    }
  })
}
const sortBy = (table, header, column, isDown) => {
  const all = [...table.rows].filter((row) => row.closest('table') === table)
  const rows = all.slice(all.indexOf(header) + 1).filter((row) => !row.matches('.sortbottom, .sorttop'))
  if (rows.length === 0) return
  if (!table.dataset.isSplit) splitCells(rows)
  table.dataset.isSplit = 'yes'
  const values = rows.map((row) => ({ row, text: textOf(row.cells[column]) }))
  const filled = values.filter(({ text }) => text !== '')
  const numbers = filled.filter(({ text }) => !Number.isNaN(numberOf(text))).length
  const areNumbers = numbers > 0.7 * filled.length
  const key = ({ text }) => {
    const number = numberOf(text)
    return Number.isNaN(number) ? -Infinity : number
  }
  values.sort((a, b) => areNumbers ? key(a) - key(b) : collator.compare(a.text, b.text))
  if (isDown) values.reverse()
  const body = rows[0].parentNode
  const end = rows.at(-1).nextSibling
  for (const { row } of values) body.insertBefore(row, end && end.parentNode === body && !rows.includes(end) ? end : null)
  for (const row of all) if (row.matches('.sortbottom')) body.append(row)
}
for (const table of document.querySelectorAll('table.sortable')) {
  const header = headerRowOf(table)
  if (!header) continue
  ;[...header.cells].forEach((cell) => {
    if (cell.matches('.unsortable') || cell.colSpan > 1) return
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'sorter'
    // A link would not work inside of a button.
    if (cell.querySelector('a')) button.setAttribute('aria-label', cell.textContent.trim())
    else button.append(...cell.childNodes)
    cell.append(button)
    button.addEventListener('click', () => {
      const isDown = cell.getAttribute('aria-sort') === 'ascending'
      for (const other of header.cells) other.removeAttribute('aria-sort')
      cell.setAttribute('aria-sort', isDown ? 'descending' : 'ascending')
      let column = 0
      for (const before of header.cells) {
        if (before === cell) break
        column += before.colSpan
      }
      sortBy(table, header, column, isDown)
    })
  })
}

const words = document.body.dataset
const areMany = document.querySelectorAll('.autocollapse').length > 1
for (const part of document.querySelectorAll('.mw-collapsible, table.collapsible')) {
  const isTable = part.tagName === 'TABLE'
  part.classList.add('is-collapsible')
  const button = document.createElement('button')
  button.type = 'button'
  const toggle = document.createElement('span')
  toggle.className = 'mw-collapsible-toggle'
  toggle.append(button)
  if (isTable) {
    const place = part.caption || (part.rows[0] && part.rows[0].cells[part.rows[0].cells.length - 1])
    if (!place) continue
    place.prepend(toggle)
  } else {
    let content = part.querySelector(':scope > .mw-collapsible-content')
    if (!content) {
      content = document.createElement('div')
      content.className = 'mw-collapsible-content'
      content.append(...part.childNodes)
      part.append(content)
    }
    part.prepend(toggle)
  }
  const set = (isCollapsed) => {
    part.classList.toggle('is-collapsed', isCollapsed)
    button.textContent = isCollapsed ? words.expand : words.collapse
    button.setAttribute('aria-expanded', String(!isCollapsed))
  }
  button.addEventListener('click', () => set(!part.classList.contains('is-collapsed')))
  set(part.matches('.mw-collapsed, .collapsed') || (areMany && part.matches('.autocollapse')))
}

// The style sheet numbers links without a text.
for (const link of document.querySelectorAll('.mw-parser-output a.autonumber:empty')) link.setAttribute('aria-label', link.hostname)

// Pictures without a text of their own have their caption, if it is not shown, or the name of their file.
const nameOf = (resource) => {
  const name = resource.replace(/^[^:]*:|\\.[^.]*$/g, '').replaceAll('_', ' ')
  try { return decodeURIComponent(name) } catch { return name }
}
for (const image of document.querySelectorAll('.mw-parser-output img[resource]:not([alt])')) {
  const caption = image.closest('figure')?.querySelector('figcaption')
  const isHidden = caption && !caption.checkVisibility()
  image.alt = (isHidden && caption.textContent.trim()) || nameOf(image.getAttribute('resource'))
}
}
`
