/** HTML made from templates: the tag `html` escapes every value that is not HTML already. */
import { escapeHtml } from '../domain/html.js'

/** Text that is HTML. Only `html` and `trusted` make it, so a plain string can never pass as HTML. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** HTML that many pages share: always the same object for the same HTML. So it can be packed once. */
export class SharedHtml extends Html {}

/** A value of a template. Arrays are joined; undefined, null and false give nothing. */
export type Fragment = Html | string | number | undefined | null | false | readonly Fragment[]

/**
 * Tag of a template. Values are safe as content and in quoted attribute values. They are not safe in unquoted
 * attributes, scripts and styles, nor as a whole URL: links come from links.ts, or `safeUrl` checks them.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  const fixed = withoutIndent(parts)
  let text = fixed[0]!
  for (let i = 0; i < values.length; i++) text += textOf(values[i]) + fixed[i + 1]!
  return new Html(text)
}

const WITHOUT_INDENT = new WeakMap<TemplateStringsArray, readonly string[]>()

/** The parts of a template without the indent of their lines. Each template of the code has one array. */
function withoutIndent(parts: TemplateStringsArray): readonly string[] {
  let fixed = WITHOUT_INDENT.get(parts)
  if (fixed === undefined) {
    fixed = parts.map((part) => part.replace(/\n\s*/g, '\n'))
    WITHOUT_INDENT.set(parts, fixed)
  }
  return fixed
}

export const NOTHING = new Html('')

/** Remembers the HTML of each object, such as of a site. */
export function remembered<Key extends object>(make: (key: Key) => Html): (key: Key) => SharedHtml {
  const known = new WeakMap<Key, SharedHtml>()
  return (key) => {
    const made = known.get(key) ?? new SharedHtml(make(key).text)
    known.set(key, made)
    return made
  }
}

/** Text that is known to be clean HTML, such as HTML of the store. */
export function trusted(text: string): Html {
  return new Html(text)
}

/** A URL that leads to a page of the web; undefined for other schemes, such as `javascript:`, and for no URL. */
export function safeUrl(url: string): string | undefined {
  return /^(https?:)?\/\/[^\s\\]/i.test(url) ? url : undefined
}

function textOf(value: Fragment): string {
  if (value instanceof Html) return value.text
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  if (value === undefined || value === null || value === false) return ''
  let text = ''
  for (const item of value) text += textOf(item)
  return text
}

/** A part of a page: HTML, or its bytes in UTF-8, which long parts come as. */
export type PagePart = Html | Uint8Array
