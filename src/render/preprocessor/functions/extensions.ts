/**
 * Parser functions of extensions. Some need data that this server lacks, such as a Wikidata item. Others only produce
 * words.
 */
import { languageName } from '../../../domain/languageNames.js'
import type { FunctionCall, FunctionTable } from '../functionCall.js'
import { escapeWikitext } from '../literal.js'
import { NO_VALUES } from '../frame.js'
import { withoutMarkers } from '../stripMarkers.js'

/** Functions that record a fact, or show a value that is not available here. */
const nothing = (): string => ''

export const EXTENSION_FUNCTIONS: FunctionTable = {
  '#assessment': nothing,
  '#coordinates': nothing,
  '#property': nothing,
  '#related': nothing,
  '#statements': nothing,
  '#babel': babel,
  '#categorytree': categoryTree,
}

const LANGUAGE_LEVEL = /^([a-z]{2,3}(?:-[a-z]{2,10}){0,2})(?:-([0-5n]))?$/i
/** The text after "This user"; `$1` is the language. */
const LEVELS: ReadonlyMap<string, string> = new Map([
  ['0', 'has no knowledge of $1 (or understands it with considerable difficulties).'],
  ['1', 'has basic knowledge of $1.'],
  ['2', 'has intermediate knowledge of $1.'],
  ['3', 'has advanced knowledge of $1.'],
  ['4', 'has near native speaker knowledge of $1.'],
  ['5', 'has professional knowledge of $1.'],
  ['N', 'has a native understanding of $1.'],
])
const MAX_BOXES = 100

/** A box for each language. A text that is not a language names a template. */
function babel(call: FunctionCall): string {
  const boxes: string[] = []
  for (let index = 0; index < Math.min(call.count, MAX_BOXES); index++) {
    const text = withoutMarkers(call.text(index))
    if (text === '' || text.includes('=')) continue
    boxes.push(languageBox(text) ?? templateBox(call, text))
  }
  return boxes.length === 0 ? '' : `\n<div class="mw-babel-wrapper">\n${boxes.join('\n')}\n</div>\n`
}

function languageBox(text: string): string | undefined {
  const [, code = '', level = 'N'] = LANGUAGE_LEVEL.exec(text) ?? []
  const name = languageName(code.toLowerCase())
  const says = LEVELS.get(level.toUpperCase())
  if (name === undefined || says === undefined) return undefined
  const kind = `mw-babel-box-${level.toUpperCase()}`
  const shown = `This user ${says.replace('$1', () => escapeWikitext(name))}`
  return `<div class="mw-babel-box ${kind}">'''${escapeWikitext(text)}''' ${shown}</div>`
}

function templateBox({ expander, frame }: FunctionCall, text: string): string {
  return expander.expandTemplateWith(text, NO_VALUES, frame) ?? `[[:${escapeWikitext(`Template:${text}`)}]]`
}

/** `{{#categorytree:Plants|mode=pages}}` equals the tag of that name. */
function categoryTree(call: FunctionCall): string {
  const attributes = new Map<string, string>()
  for (let index = 1; index < call.count; index++) {
    const part = call.split(index)
    if (part.hasName) attributes.set(part.name(), part.value())
  }
  return call.expander.makeTag('categorytree', call.text(0), attributes)
}

// `#tag`, which makes extension tags.

const QUOTED = /^(["'])([^]*)\1$/

export const TAG_FUNCTIONS: FunctionTable = {
  '#tag': makeTag,
}

/** Arguments: name, content, then attributes as `name=value`. */
function makeTag(call: FunctionCall): string {
  const name = withoutMarkers(call.text(0)).toLowerCase()
  const attributes = new Map<string, string>()
  for (let index = 2; index < call.count; index++) {
    const part = call.split(index)
    if (part.hasName) attributes.set(part.name(), unquoted(part.value()))
  }
  const content = call.count > 1 ? call.text(1) : undefined
  return call.expander.makeTag(name, content, attributes)
}

function unquoted(value: string): string {
  return QUOTED.exec(value)?.[2] ?? value
}
