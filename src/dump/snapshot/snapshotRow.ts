/** One line of a snapshot: a page with its latest revision and its HTML, as Wikimedia Enterprise publishes them. */
import { type HtmlVersion, statedHtmlVersion } from '../../domain/html.js'
import { MAX_NAMESPACE } from '../../domain/namespaces.js'
import type { Editor } from '../../domain/revision.js'
import { BadValue, isStorableSize, MAX_ID, parseSizeBytes, parseTime } from '../fields.js'

export interface SnapshotRow {
  /** In reading form, with the namespace's prefix. */
  readonly title: string
  readonly namespace: number
  readonly pageId: number
  readonly revisionId: number
  readonly parentId: number | undefined
  /** Seconds since 1970 (UTC). */
  readonly timestamp: number
  /** Undefined: hidden or not stated. */
  readonly editor: Editor | undefined
  /** Undefined: hidden. */
  readonly comment: string | undefined
  readonly minor: boolean
  /** Undefined: hidden, or the row has none. */
  readonly text: string | undefined
  readonly isTextHidden: boolean
  readonly statedSizeBytes: number | undefined
  readonly html: RowHtml | undefined
  /** Why the HTML of the row cannot be used. */
  readonly htmlFault: string | undefined
  /** Full titles. */
  readonly redirects: readonly string[]
  readonly templates: readonly string[]
  readonly categories: readonly string[]
  readonly wikiId: string | undefined
  readonly language: string | undefined
  readonly url: string | undefined
}

export interface RowHtml {
  readonly text: string
  /** As the document states it. */
  readonly version: HtmlVersion
}

/** A line that is not used. The other fields are set as far as they could be read. */
export class BadRow extends BadValue {
  readonly title: string | undefined

  constructor(reason: string, title: string | undefined) {
    super(reason)
    this.title = title
  }
}

const MAX_HTML_LENGTH = 8 * 2 ** 20
const HTML_DOCUMENT = /^\s*(?:<!doctype html|<html)[\s>]/i
/** Names in a list of a row, such as the redirects to its page. */
const MAX_NAMES = 100_000

/** Throws a BadRow for a line that is no row of a page. */
export function parseSnapshotRow(line: string): SnapshotRow {
  const row = parseJson(line)
  try {
    return readRow(row)
  } catch (error) {
    if (!(error instanceof BadValue)) throw error
    const { name } = row
    throw new BadRow(error.message, typeof name === 'string' ? name.toWellFormed() : undefined)
  }
}

function readRow(row: Fields): SnapshotRow {
  const title = textAt(row, 'name')
  if (title === undefined || title === '') throw new BadValue('it has no "name"')
  if (at(row, 'event', 'type') === 'delete') throw new BadValue('it says that the page was deleted')
  const time = textAt(row, 'date_modified')
  if (time === undefined) throw new BadValue('it has no "date_modified"')
  const isTextHidden = at(row, 'visibility', 'text') === false
  const comment = textAt(row, 'version', 'comment') ?? ''
  const body = bodyOf(row)
  return {
    title,
    namespace: numberAt(row, MAX_NAMESPACE, 'namespace', 'identifier') ?? 0,
    pageId: requireId(row, 'identifier'),
    revisionId: requireId(row, 'version', 'identifier'),
    parentId: idAt(row, 'previous_version', 'identifier'),
    timestamp: parseTime(time, 'its "date_modified"'),
    editor: at(row, 'visibility', 'editor') === false ? undefined : editorOf(row),
    comment: at(row, 'visibility', 'comment') === false ? undefined : comment,
    minor: at(row, 'version', 'is_minor_edit') === true,
    text: isTextHidden ? undefined : body.wikitext,
    isTextHidden,
    statedSizeBytes: sizeOf(row),
    ...htmlOf(isTextHidden ? undefined : body.html),
    redirects: namesAt(row, 'redirects'),
    templates: namesAt(row, 'templates'),
    categories: namesAt(row, 'categories'),
    wikiId: textAt(row, 'is_part_of', 'identifier'),
    language: textAt(row, 'in_language', 'identifier'),
    url: textAt(row, 'url'),
  }
}

/** The body may be a text, and no object with HTML and wikitext: then it is taken if it is a whole HTML document. */
function bodyOf(row: Fields): { readonly html: string | undefined; readonly wikitext: string | undefined } {
  const body = at(row, 'article_body')
  if (typeof body !== 'string')
    return { html: textAt(row, 'article_body', 'html'), wikitext: textAt(row, 'article_body', 'wikitext') }
  if (HTML_DOCUMENT.test(body)) return { html: body.toWellFormed(), wikitext: undefined }
  throw new BadValue('its "article_body" is a text, and no HTML document')
}

/** Undefined for a size that is missing, unreadable, or too large for the store. */
function sizeOf(row: Fields): number | undefined {
  const value = at(row, 'version', 'size', 'value')
  const size = typeof value === 'number' || typeof value === 'string' ? parseSizeBytes(`${value}`) : undefined
  return size !== undefined && isStorableSize(size) ? size : undefined
}

function htmlOf(text: string | undefined): Pick<SnapshotRow, 'html' | 'htmlFault'> {
  if (text === undefined || text === '') return { html: undefined, htmlFault: undefined }
  if (text.length > MAX_HTML_LENGTH)
    return { html: undefined, htmlFault: 'it is longer than 8 Mi characters' }
  const version = statedHtmlVersion(text)
  return version === undefined
    ? { html: undefined, htmlFault: 'it does not state its version (mw:htmlVersion)' }
    : { html: { text, version }, htmlFault: undefined }
}

/** An editor without an id is anonymous. */
function editorOf(row: Fields): Editor | undefined {
  const name = textAt(row, 'version', 'editor', 'name')
  if (name === undefined || name === '') return undefined
  return { id: idAt(row, 'version', 'editor', 'identifier') ?? null, name }
}

type Fields = Readonly<Record<string, unknown>>

function parseJson(line: string): Fields {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new BadRow(`it is not JSON (${(cause as Error).message})`, undefined)
  }
  if (isFields(value)) return value
  throw new BadRow('it is no JSON object', undefined)
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a path of own fields; undefined if one is missing or null. Throws a BadValue if one is no object. */
function at(row: Fields, ...path: readonly string[]): unknown {
  let value: unknown = row
  for (const [depth, name] of path.entries()) {
    if (!isFields(value)) throw new BadValue(`its ${nameOf(path.slice(0, depth))} is no object`)
    if (!Object.hasOwn(value, name)) return undefined
    value = value[name] ?? undefined
    if (value === undefined) return undefined
  }
  return value
}

function textAt(row: Fields, ...path: readonly string[]): string | undefined {
  const value = at(row, ...path)
  if (value === undefined) return undefined
  if (typeof value === 'string') return value.toWellFormed()
  throw new BadValue(`its ${nameOf(path)} is no text`)
}

function numberAt(row: Fields, most: number, ...path: readonly string[]): number | undefined {
  const value = at(row, ...path)
  if (value === undefined) return undefined
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most) return value as number
  // Lists inside of lists may be deeper than JSON.stringify goes.
  const found = typeof value === 'object' ? 'no number' : JSON.stringify(value).slice(0, 100)
  throw new BadValue(`its ${nameOf(path)} is ${found}, expected a number up to ${most}`)
}

/** Undefined if there is none, or 0. */
const idAt = (row: Fields, ...path: readonly string[]): number | undefined =>
  numberAt(row, MAX_ID, ...path) || undefined

function requireId(row: Fields, ...path: readonly string[]): number {
  const id = idAt(row, ...path)
  if (id === undefined) throw new BadValue(`it has no ${nameOf(path)}`)
  return id
}

function namesAt(row: Fields, name: string): readonly string[] {
  const list = at(row, name)
  if (list === undefined) return []
  if (!Array.isArray(list)) throw new BadValue(`its "${name}" is no list`)
  return list
    .slice(0, MAX_NAMES)
    .flatMap((each: unknown) => (typeof each === 'string' ? each.toWellFormed() : nameIn(each)))
}

const nameIn = (each: unknown): string | readonly string[] =>
  isFields(each) ? (textAt(each, 'name') ?? []) : []

const nameOf = (path: readonly string[]): string => `"${path.join('.')}"`
