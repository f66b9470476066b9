/**
 * Page ids of titles to which redirects lead. The row of a title has the text of its page, so that a read takes some
 * microseconds.
 */
import type { Moment } from './moment.js'
import { type Kind, Recent, Room } from './recent.js'

const BYTES = 2 ** 20
/** Of an entry and its key. */
const ENTRY_BYTES = 200

const TARGETS: Kind<number | undefined> = {
  concerns: (change) => change.titlesChange,
  weigh: () => ENTRY_BYTES,
}

export class RecentTargets {
  readonly #ids: Recent<number | undefined>
  readonly #read: (namespace: number, dbkey: string) => number | undefined

  constructor(moment: Moment, read: (namespace: number, dbkey: string) => number | undefined) {
    this.#ids = new Recent(moment, new Room(BYTES), TARGETS)
    this.#read = read
  }

  /** The page with a title as of this moment. */
  idOf(namespace: number, dbkey: string): number | undefined {
    const key = `${namespace} ${dbkey}`
    const kept = this.#ids.get(key)
    if (kept !== undefined) return kept.value
    const id = this.#read(namespace, dbkey)
    this.#ids.set(key, id)
    return id
  }
}
