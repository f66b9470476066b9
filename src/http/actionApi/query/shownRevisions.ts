/** Revisions as `prop=revisions` and `list=allrevisions` show them, with their texts or the HTML of these. */
import type { Title } from '../../../domain/title.js'
import type { RevisionRow } from '../../../storage/store.js'
import { choices, choicesOr, deprecated, flag, text, type Values } from '../frame/declaration.js'
import { ActionError } from '../frame/problems.js'
import { named } from '../frame/values.js'
import { addressesOf } from '../addresses.js'
import { renderedPage } from '../renderedPage.js'
import { REVISION_PROPERTIES, revisionFields, type RevisionProperty, sectionText } from '../revisionFields.js'
import type { QueryCall } from './module.js'

const DEFAULTS = ['ids', 'timestamp', 'flags', 'comment', 'user'] as const

export const shownParameters = {
  prop: choicesOr(DEFAULTS, REVISION_PROPERTIES, 'what to tell', { deprecated: ['parsetree'] }),
  slots: choices(['main'], 'slots whose contents are wanted', { all: true }),
  section: text('only the text of this section'),
  expandtemplates: deprecated(flag('without effect')),
  generatexml: deprecated(flag('without effect')),
  parse: deprecated(flag('the HTML in place of the text, of one revision')),
  diffto: deprecated(text('without effect')),
  contentformat: deprecated(text('without effect')),
}
type ShownValues = Values<typeof shownParameters>

const OF_SLOTS: readonly RevisionProperty[] = ['slotsize', 'slotsha1', 'contentmodel', 'content']

/** Longest text to read on the event loop. */
const MAX_INLINE = 256 * 1024

export class ShownRevisions {
  readonly #call: QueryCall
  readonly #values: ShownValues
  readonly #wanted: ReadonlySet<RevisionProperty>
  readonly #slots: ReadonlySet<string> | undefined

  constructor(call: QueryCall, values: ShownValues) {
    this.#call = call
    this.#values = values
    this.#wanted = new Set(values.prop)
    this.#slots = values.slots && new Set(values.slots)
    const needsSlots = OF_SLOTS.some((name) => this.#wanted.has(name))
    if (needsSlots && values.slots === undefined)
      call.warnings.deprecation(
        call.module.path,
        `Because "${call.module.prefix}slots" was not specified, a legacy format has been used for the output. This format is deprecated, and in the future the new format will always be used.`,
      )
  }

  /** Undefined if the text does not fit into this answer. */
  async fields(revision: RevisionRow, title: Title): Promise<unknown> {
    const content = this.#wanted.has('content') ? { text: await this.#text(revision) } : undefined
    if (content?.text !== undefined && !this.#call.room.takes(content.text.length)) return undefined
    const options = { wanted: this.#wanted, slots: this.#slots, content }
    const fields = revisionFields(revision, title, options, this.#call)
    if (Object.keys(fields).length === 0) return []
    return this.#slots === undefined ? named('content', fields) : fields
  }

  async #text(revision: RevisionRow): Promise<string | undefined> {
    const { store, pool } = this.#call.context
    const { section, parse } = this.#values
    if (revision.textHidden) return undefined
    if (parse) return this.#html(revision.id)
    if (section !== undefined)
      return sectionText(revision.id, section, this.#call, (number) => {
        const info = `There is no section ${number} in revision ${revision.id}.`
        return new ActionError('nosuchsection', info)
      })
    if ((revision.sizeBytes ?? 0) <= MAX_INLINE) return store.getText(revision.id)
    const bytes = await pool.run('textBytes', { of: { revisionId: revision.id }, form: 'plain' })
    return bytes && Buffer.from(bytes).toString()
  }

  async #html(revisionId: number): Promise<string> {
    const { body } = await renderedPage(revisionId, this.#call)
    const task = { body: { parts: body }, of: { revisionId }, wikiPath: addressesOf(this.#call).links.wiki }
    const { html } = await this.#call.context.pool.run('bodyFacts', task)
    return `<div class="mw-parser-output">${html}</div>`
  }
}
