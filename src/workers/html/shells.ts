/** Shells beside kept HTML: made with new HTML, and again in the background if they are outdated or missing. */
import type { ReadyShell, RenderingRow } from '../../storage/html/renderingRow.js'
import type { Rendering } from '../../storage/html/renderings.js'
import type { Store } from '../../storage/store.js'
import { PoolFullError } from '../hosting/poolErrors.js'
import type { Writer } from '../writer/writer.js'

/** Undefined for HTML that no page shows in the usual way. */
export type ShellMaker = (html: Pick<Rendering, 'revisionId' | 'tag' | 'outline'>) => ReadyShell | undefined

interface ShellsOptions {
  readonly store: Pick<Store, 'refresh'>
  readonly writer: Pick<Writer, 'keepShell'>
  readonly htmlCacheBytes: number
  readonly onTrouble: (error: unknown, revisionId: number) => void
}

/** Revisions that wait. Further ones come again with their next requests. */
const MAX_WAITING = 1000

export class Shells {
  shellOf: ShellMaker = () => undefined
  readonly #options: ShellsOptions
  readonly #kept: (revisionId: number) => RenderingRow | undefined
  readonly #waiting = new Set<number>()
  #isBusy = false

  /** `kept` gives kept HTML that is still valid. */
  constructor(options: ShellsOptions, kept: (revisionId: number) => RenderingRow | undefined) {
    this.#options = options
    this.#kept = kept
  }

  renew(revisionId: number): void {
    if (this.#waiting.size < MAX_WAITING) this.#waiting.add(revisionId)
  }

  /** One after the other, so that each takes a part of a millisecond of a turn. */
  async renewSome(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      for (const revisionId of this.#waiting) {
        this.#waiting.delete(revisionId)
        await this.#renew(revisionId)
      }
    } finally {
      this.#isBusy = false
    }
  }

  async #renew(revisionId: number): Promise<void> {
    const { store, writer, htmlCacheBytes: maxBytes, onTrouble } = this.#options
    try {
      store.refresh()
      const row = this.#kept(revisionId)
      if (row === undefined) return
      const { tag, shell: old } = row
      // Further reads of the store overwrite the bytes.
      const shell = this.shellOf({ revisionId, tag, outline: new Uint8Array(row.outline) })
      if (shell === undefined || shell.basis === old?.basis) return
      await writer.keepShell({ html: { revisionId, tag }, shell, maxBytes })
    } catch (error) {
      if (!(error instanceof PoolFullError)) onTrouble(error, revisionId)
    }
  }
}
