/** The fields of a request, and which of them some module has read. */
import type { FormFiles } from '../../request/bodyFields.js'
import { ActionError, shown, type Warnings } from './problems.js'

export type Form = ReadonlyMap<string, string>

/** The body of a POST. */
export interface PostedForm {
  readonly fields: Form
  readonly files: FormFiles
}

/** More fields are left out: no module has as many. */
const MAX_FIELDS = 300
const ARRAY_SYNTAX = /^([^[]+)\[.*\]$/s
/** Noted in a `from` that was not in the usual form. */
const NOT_USUAL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/
const REPLACEMENT = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g

/** They choose the module and the form. */
const ALWAYS_USED: ReadonlySet<string> = new Set(['action', 'format'])

export class Input {
  readonly isPost: boolean
  readonly #form: Form
  readonly #files: FormFiles
  readonly #query: ReadonlyMap<string, string>
  /** Names of parameters that some module knows. */
  readonly #used: ReadonlySet<string>[] = [ALWAYS_USED]

  /** `query` is raw, without the question mark. */
  constructor(query: string, form: PostedForm | undefined) {
    this.isPost = form !== undefined
    this.#form = form?.fields ?? new Map<string, string>()
    this.#files = form?.files ?? {}
    this.#query = fieldsOf(query)
  }

  /** The value in the form, else in the query; undefined when absent. */
  get(name: string): string | undefined {
    return this.#form.get(name) ?? this.#query.get(name)
  }

  /** The contents of a file in the form, in pieces. */
  getFile(name: string): readonly Uint8Array[] | undefined {
    return Object.hasOwn(this.#files, name) ? this.#files[name] : undefined
  }

  /** Whether the request has the parameter, as a text or as a file. */
  has(name: string): boolean {
    return this.#form.has(name) || this.#query.has(name) || Object.hasOwn(this.#files, name)
  }

  /** Notes that a module knows the parameters, even if it does not run. */
  use(names: ReadonlySet<string>): void {
    if (!this.#used.includes(names)) this.#used.push(names)
  }

  #isUsed(name: string): boolean {
    return this.#used.some((names) => names.has(name))
  }

  /** For secrets, which must not appear in URLs: throws a mustpostparams when the query has the parameter. */
  getPosted(name: string): string | undefined {
    if (this.#query.has(name)) {
      const info = 'The following parameter was found in the query string, but must be in the POST body'
      throw new ActionError('mustpostparams', `${info}: ${name}.`)
    }
    return this.#form.get(name)
  }

  /** Warns of parameters that no module has read. */
  warnOfUnknown(warnings: Warnings): void {
    const unknown: string[] = []
    const all = this.isPost ? new Set([...this.#query.keys(), ...this.#form.keys()]) : this.#query.keys()
    for (const name of all) {
      if (this.#isUsed(name)) continue
      const [, base] = ARRAY_SYNTAX.exec(name) ?? []
      if (base === undefined) unknown.push(name)
      else if (this.#isUsed(base))
        warnings.add(
          'main',
          'unsupportedarray',
          `Parameter "${shown(base)}" uses unsupported PHP array syntax.`,
        )
      else unknown.push(name)
    }
    if (unknown.length === 0) return
    const names = unknown.slice(0, 10).map((name) => name.slice(0, 50))
    const text = `Unrecognized parameter${unknown.length > 1 ? 's' : ''}: ${names.join(', ')}.`
    warnings.add('main', 'unrecognizedparams', text)
  }
}

/** The last value of a repeated field counts. */
function fieldsOf(query: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === '' || (fields.size >= MAX_FIELDS && !fields.has(name))) continue
    fields.set(name, value)
  }
  return fields
}

/** A text in NFC without control characters, and whether it was another one. */
export function usualText(text: string): { readonly text: string; readonly isChanged: boolean } {
  const isOdd = NOT_USUAL.test(text)
  const composed = (isOdd ? text.replace(REPLACEMENT, '\ufffd') : text).normalize('NFC')
  return { text: composed, isChanged: isOdd || composed !== text }
}
