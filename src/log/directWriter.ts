/** Writes entries in this thread: for commands, which may block it. */
import type { Applier } from '../storage/apply/applier.js'
import type { Entry, Verdict } from '../storage/entries/entries.js'
import type { EntryWriter } from './entryWriter.js'

export class DirectWriter implements EntryWriter {
  readonly #applier: Applier

  constructor(applier: Applier) {
    this.#applier = applier
  }

  write(entry: Entry): Promise<Verdict> {
    return Promise.resolve(this.#applier.submit(entry))
  }
}
