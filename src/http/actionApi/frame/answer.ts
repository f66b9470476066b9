/** Answers of the action API: JSON in two versions, as a script, or as a page for people. */
import { escapeHtml } from '../../../domain/html.js'
import { headerLines } from '../../reply/reply.js'
import type { ActionError, Warning } from './problems.js'
import { type Fields, jsonOf, shaped, Table, type Version } from './values.js'

export type ErrorFormat = 'plaintext' | 'wikitext' | 'html' | 'raw' | 'none' | 'bc'

/** How a client wants its answer. */
export interface Wish {
  readonly format: 'json' | 'jsonfm' | 'none'
  readonly version: Version
  readonly callback: string | undefined
  readonly errorFormat: ErrorFormat
  /** Escape all letters beyond ASCII. */
  readonly isAscii: boolean
  /** URL of `api.php`. */
  readonly apiUrl: string
}

/** Only what can name a function, or a part of an object. */
const NOT_OF_CALLBACK = /[^\w.[\]'"$-]/g
const HTML = 'text/html; charset=utf-8'
const TYPES = { json: 'application/json; charset=utf-8', jsonfm: HTML, none: HTML } as const

export const cleanCallback = (callback: string | undefined): string | undefined =>
  callback?.replace(NOT_OF_CALLBACK, '').slice(0, 200) || undefined

/** Content type and bytes. */
export function encodeAnswer(
  value: unknown,
  wish: Wish,
): { readonly headers: string; readonly body: Buffer } {
  const { format, callback, version, isAscii } = wish
  const type = callback === undefined ? TYPES[format] : 'text/javascript; charset=utf-8'
  const headers = headerLines({ 'Content-Type': type })
  if (format === 'none') return { headers, body: Buffer.alloc(0) }
  const isTable = typeof value === 'object' && !Array.isArray(value)
  const shape = shaped(isTable ? new Table(value as Fields) : value, version)
  if (format === 'jsonfm') return { headers, body: Buffer.from(readable(jsonOf(shape, 4))) }
  const json = isAscii ? inAscii(jsonOf(shape)) : jsonOf(shape)
  // The comment keeps browsers from taking the answer for something else.
  return {
    headers,
    body: Buffer.from(callback === undefined ? json : `/**/${callback}(${forScripts(json)})`),
  }
}

/** Two line breaks of Unicode end a line of a script. */
const forScripts = (json: string): string =>
  json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')

const inAscii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const readable = (json: string): string =>
  `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>API result</title></head><body><p>This is the HTML representation of the JSON format. Add <code>format=json</code> for programs.</p><pre>${escapeHtml(json)}</pre></body></html>\n`

/** `warnings` of an answer, or nothing. */
export function warningFields(warnings: readonly Warning[], { errorFormat, version }: Wish): Fields {
  if (warnings.length === 0) return {}
  if (errorFormat !== 'bc')
    return { warnings: warnings.map((warning) => problem(warning, warning.text, errorFormat, version)) }
  const byModule = new Map<string, string[]>()
  for (const { module, text } of warnings) {
    const name = module.slice(module.lastIndexOf('+') + 1)
    byModule.set(name, [...(byModule.get(name) ?? []), text])
  }
  const key = version === 1 ? '*' : 'warnings'
  const entries = [...byModule].map(([name, texts]) => [name, { [key]: texts.join('\n') }])
  return { warnings: Object.fromEntries(entries) as unknown }
}

export function errorFields(error: ActionError, wish: Wish): Fields {
  const { apiUrl, errorFormat, version } = wish
  const help = `See ${apiUrl} for API usage. Subscribe to the mediawiki-api-announce mailing list at &lt;https://lists.wikimedia.org/postorius/lists/mediawiki-api-announce.lists.wikimedia.org/&gt; for notice of API deprecations and breaking changes.`
  const reference = { [version === 1 ? '*' : 'docref']: help }
  const { code, message, data, module = 'main' } = error
  if (errorFormat === 'bc') return { error: { code, info: message, ...data, ...reference } }
  return { errors: [problem({ code, module, data }, message, errorFormat, version)], ...reference }
}

function problem(
  { code, module, data }: Pick<Warning, 'code' | 'module' | 'data'>,
  text: string,
  format: Exclude<ErrorFormat, 'bc'>,
  version: Version,
): Fields {
  const hasData = data !== undefined && Object.keys(data).length > 0
  const key = format === 'html' ? 'html' : 'text'
  const shown = format === 'html' ? asHtml(code, text) : text
  const isText = format === 'plaintext' || format === 'wikitext' || format === 'html'
  return {
    code,
    ...(isText && { [version === 1 ? '*' : key]: shown }),
    ...(format === 'raw' && { key: `apierror-${code}`, params: [] }),
    ...(hasData && { data }),
    module,
  }
}

/** Names of parameters stand in quotes in a text, and are elements in HTML. */
function asHtml(code: string, text: string): string {
  const names = /^(?:One|At least one) of/.test(text) && code === 'missingparam'
  return names ? text.replace(/"(\w+)"/g, '<var>$1</var>') : text
}
