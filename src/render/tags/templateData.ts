/**
 * `<templatedata>{"params": {…}}</templatedata>`: what a template is for, and its parameters, as a table. The JSON is
 * checked field by field; what has another type than TemplateData says is left out.
 */
import { escapeHtml } from '../../domain/html.js'
import { type ExtensionTag, MAX_TAG_LENGTH, type TagWiki } from './tag.js'

const MAX_PARAMETERS = 500
const MAX_TEXT_LENGTH = 2000
const MAX_ALIASES = 50
/** Of all rows. Parameters that inherit repeat what the page has once. */
const MAX_ROWS_LENGTH = 500_000
/** Parameters that one takes over from another, which may again do so. */
const MAX_INHERITED = 5
const ENGLISH = 'en'

type Fields = Readonly<Record<string, unknown>>

const TYPES: Readonly<Record<string, string>> = {
  boolean: 'Boolean',
  content: 'Content',
  date: 'Date',
  line: 'Line',
  number: 'Number',
  string: 'String',
  'unbalanced-wikitext': 'Unbalanced wikitext',
  url: 'URL',
  'wiki-file-name': 'File',
  'wiki-page-name': 'Page',
  'wiki-template-name': 'Template',
  'wiki-user-name': 'User',
}

const ERROR = '<strong class="error">The template data is not valid JSON of an object.</strong>'

export function renderTemplateData({ content }: ExtensionTag, { namespaces }: TagWiki): string {
  const data = content.length <= MAX_TAG_LENGTH ? objectIn(content) : undefined
  if (data === undefined) return ERROR
  const textOf = (value: unknown): string => textIn(value, namespaces.language.code)
  const params = isObject(data['params']) ? data['params'] : {}
  const names = orderOf(data['paramOrder'], params)
  const rows: string[] = []
  let length = 0
  for (const name of names.slice(0, MAX_PARAMETERS)) {
    if (length > MAX_ROWS_LENGTH) break
    const row = rowOf(name, fieldsOf(name, params), textOf)
    length += row.length
    rows.push(row)
  }
  const more = names.length - rows.length
  const description = textOf(data['description'])
  const intro = description === '' ? '' : `<p class="mw-templatedata-doc-desc">${escapeHtml(description)}</p>`
  const end = more > 0 ? `<p>${more} more parameters</p>` : ''
  return `<div class="mw-templatedata-doc-wrap">${intro}${rows.length === 0 ? '' : tableOf(rows)}${end}</div>`
}

const HEADINGS = '<th colspan="2">Parameter</th><th>Description</th><th>Type</th><th>Status</th>'
const tableOf = (rows: readonly string[]): string =>
  `<table class="wikitable mw-templatedata-doc-params"><caption>Template parameters</caption>` +
  `<thead><tr>${HEADINGS}</tr></thead><tbody>${rows.join('')}</tbody></table>`

function objectIn(json: string): Fields | undefined {
  try {
    const data: unknown = JSON.parse(json)
    return isObject(data) ? data : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text, or one of several by language. */
function textIn(value: unknown, language: string): string {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT_LENGTH).toWellFormed().trim()
  if (!isObject(value)) return ''
  const chosen = [value[language], value[ENGLISH], ...Object.values(value)]
  return textIn(chosen.find((text) => typeof text === 'string') ?? '', language)
}

/** Names of the parameters, those of the stated order first. */
function orderOf(stated: unknown, params: Fields): string[] {
  const order = Array.isArray(stated) ? stated : []
  const known = order.filter(
    (name): name is string => typeof name === 'string' && Object.hasOwn(params, name),
  )
  return [...new Set([...known, ...Object.keys(params)])]
}

function fieldsOf(name: string, params: Fields): Fields {
  let fields = objectAt(params, name)
  for (let depth = 0; depth < MAX_INHERITED; depth++) {
    const { inherits, ...own } = fields
    if (typeof inherits !== 'string') break
    fields = { ...objectAt(params, inherits), ...own }
  }
  return fields
}

function objectAt(params: Fields, name: string): Fields {
  const value = Object.hasOwn(params, name) ? params[name] : undefined
  return isObject(value) ? value : {}
}

function rowOf(name: string, fields: Fields, textOf: (value: unknown) => string): string {
  const { aliases, type } = fields
  const others = Array.isArray(aliases) ? aliases.slice(0, MAX_ALIASES).map(textOf) : []
  const names = [name, ...others].filter((text) => text !== '')
  const codes = names.map((text) => `<code>${escapeHtml(text.slice(0, MAX_TEXT_LENGTH))}</code>`).join(' ')
  const facts = [
    ['Default', textOf(fields['default'])],
    ['Example', textOf(fields['example'])],
    ['Auto value', textOf(fields['autovalue'])],
  ].filter(([, text]) => text !== '')
  const list = facts.map(([label, text]) => `<dt>${label}</dt><dd>${escapeHtml(text!)}</dd>`).join('')
  const description = textOf(fields['description'])
  const told = typeof type === 'string' && Object.hasOwn(TYPES, type) ? TYPES[type]! : 'Unknown'
  return (
    `<tr><th>${escapeHtml(textOf(fields['label']) || name.slice(0, MAX_TEXT_LENGTH))}</th>` +
    `<td class="mw-templatedata-doc-param-name">${codes}</td>` +
    `<td>${description === '' ? '' : `<p>${escapeHtml(description)}</p>`}${list === '' ? '' : `<dl>${list}</dl>`}</td>` +
    `<td>${told}</td><td>${statusOf(fields, textOf)}</td></tr>`
  )
}

function statusOf(fields: Fields, textOf: (value: unknown) => string): string {
  const { deprecated, required, suggested } = fields
  if (deprecated === true) return 'deprecated'
  const why = textOf(deprecated)
  if (why !== '') return `deprecated: ${escapeHtml(why)}`
  return required === true ? 'required' : suggested === true ? 'suggested' : 'optional'
}
