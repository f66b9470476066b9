/** JSON pages as MediaWiki shows them: objects and lists as nested tables. */
import { type Html, html } from './html.js'

/** A table of more values would be of no use to anybody. Values in it take up to 100 bytes of markup. */
const MAX_VALUES = 50_000
/** Tables within each other. Browsers nest some hundred elements. */
const MAX_DEPTH = 100

/** The table of a JSON text; the text as it stands if it is no JSON, or too large or too deep for one. */
export function jsonTable(json: string): string {
  try {
    return new TableWriter().root(JSON.parse(json)).text
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TooMuch)) throw error
    return html`<pre>${json}</pre>`.text
  }
}

class TooMuch extends Error {}

class TableWriter {
  #values = 0

  /** A list stands in a list of its own, which gives it a frame. */
  root(value: unknown): Html {
    if (Array.isArray(value)) return this.#list([value], 0)
    if (value !== null && typeof value === 'object') return this.#object(value, 0)
    return html`<table class="mw-json mw-json-single-value"><tbody><tr>${this.#cell(value, 0)}</tr></tbody></table>`
  }

  #object(value: object, depth: number): Html {
    const rows = Object.entries(value).map(
      ([key, each]) => html`<tr><th><span>${key}</span></th>${this.#cell(each, depth)}</tr>`,
    )
    return table(rows, 'Empty object')
  }

  #list(values: readonly unknown[], depth: number): Html {
    const rows = values.map((each) => html`<tr>${this.#cell(each, depth)}</tr>`)
    return table(rows, 'Empty array')
  }

  #cell(value: unknown, depth: number): Html {
    if (this.#values++ === MAX_VALUES || depth === MAX_DEPTH) throw new TooMuch()
    if (Array.isArray(value)) return html`<td>${this.#list(value, depth + 1)}</td>`
    if (value !== null && typeof value === 'object') return html`<td>${this.#object(value, depth + 1)}</td>`
    const shown = typeof value === 'string' ? `"${value}"` : String(value)
    return html`<td class="mw-json-value">${shown}</td>`
  }
}

const table = (rows: readonly Html[], empty: string): Html =>
  html`<table class="mw-json"><tbody>${
    rows.length > 0 ? rows : html`<tr><td class="mw-json-empty">${empty}</td></tr>`
  }</tbody></table>`
