/** Texts of the revisions that a batch brings. A text may be that of another revision, which the batch may remove. */
import type { PresentPage, UpstreamRevision } from '../../../domain/upstream.js'
import type { Tables } from '../../tables/tables.js'
import { hasText, readTextBytes, type SourceText, sourceText } from '../../pages/texts.js'

export class BatchTexts {
  readonly #tables: Tables
  /** Texts that revisions of the batch share, in memory once each. */
  readonly #shared = new Map<number, SourceText>()
  readonly #added = new Map<number, UpstreamRevision>()

  constructor(tables: Tables, pages: readonly PresentPage[]) {
    this.#tables = tables
    for (const revision of pages.flatMap(({ add }) => add)) this.#added.set(revision.id, revision)
  }

  /** The first revision whose stated text is neither in the store nor in the batch. */
  firstMissing(pages: readonly PresentPage[]): number | undefined {
    for (const { add, change } of pages) {
      const copy = add.find(({ sameTextAs: id }) => id !== undefined && !this.#has(id))
      if (copy !== undefined) return copy.id
      const shown = change.find(
        ({ id, isTextShown, text }) => isTextShown && text === undefined && this.#isTextless(id),
      )
      if (shown !== undefined) return shown.id
    }
    return undefined
  }

  /** Reads the texts of other revisions in the store, before any of them is removed. */
  hold(): void {
    for (const { sameTextAs: id } of this.#added.values())
      if (id !== undefined && !this.#added.has(id)) this.#share(id)
  }

  /** The text of a revision; undefined if it is hidden. */
  of({ text, sameTextAs }: UpstreamRevision): SourceText | undefined {
    if (text !== undefined) return sourceText(text)
    return sameTextAs === undefined ? undefined : this.#share(sameTextAs)
  }

  #share(id: number): SourceText {
    const known = this.#shared.get(id)
    if (known !== undefined) return known
    const text = this.#read(id)
    this.#shared.set(id, text)
    return text
  }

  #read(id: number): SourceText {
    const added = this.#added.get(id)
    if (added?.text !== undefined) return sourceText(added.text)
    if (added?.sameTextAs !== undefined) return this.#share(added.sameTextAs)
    const utf8 = readTextBytes(this.#tables, id)
    if (utf8 === undefined) throw new Error(`revision ${id} has no text`)
    return { string: utf8.toString(), utf8 }
  }

  #has(id: number, seen = 0): boolean {
    const added = this.#added.get(id)
    if (added === undefined) return hasText(this.#tables, id)
    if (added.text !== undefined) return true
    // More steps than revisions: they lead round in a circle.
    return added.sameTextAs !== undefined && seen <= this.#added.size && this.#has(added.sameTextAs, seen + 1)
  }

  /** A revision that the store does not have is left alone, so it needs no text. */
  #isTextless(id: number): boolean {
    return this.#tables.rev.doesExist(id) && !hasText(this.#tables, id)
  }
}
