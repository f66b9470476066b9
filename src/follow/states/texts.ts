/** Fetches the texts that the mirror lacks, and no others. */
import { hash } from 'node:crypto'
import type { RevisionFacts } from '../api/answers.js'
import type { Omissions } from '../api/fields.js'
import type { Upstream } from '../api/upstream.js'

export class Texts {
  readonly #upstream: Upstream
  readonly #omissions: Omissions

  constructor(upstream: Upstream, omissions: Omissions) {
    this.#upstream = upstream
    this.#omissions = omissions
  }

  /**
   * Texts by revision id; those that the wiki does not send are absent. A text with another SHA-1 than stated is asked
   * for again, and then kept and named.
   */
  async fetch(revisions: readonly RevisionFacts[]): Promise<ReadonlyMap<number, string>> {
    const texts = new Map<number, string>()
    for (const { id, text } of revisions) if (text !== undefined) texts.set(id, text)
    const lacking = revisions.flatMap(({ id, text }) => (text === undefined ? [id] : []))
    for (const [id, text] of await this.#upstream.texts(lacking)) texts.set(id, text)
    const wrong = (): RevisionFacts[] => revisions.filter((facts) => isWrong(facts, texts.get(facts.id)))
    const again = wrong()
    if (again.length > 0)
      for (const [id, text] of await this.#upstream.texts(again.map(({ id }) => id))) texts.set(id, text)
    for (const { id } of wrong())
      this.#omissions.name(`revision ${id}: its SHA-1 differs from the one stated; the text was taken over`)
    return texts
  }
}

const isWrong = ({ sha1 }: RevisionFacts, text: string | undefined): boolean =>
  text !== undefined && sha1 !== undefined && hash('sha1', text) !== sha1
