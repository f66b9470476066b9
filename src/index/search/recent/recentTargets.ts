/**
 * Page ids of titles to which redirects lead. The row of a title has the text of its page, so that a read takes some
 * microseconds.
 */
import type { RedirectTarget } from '../../rows/indexedRow.js'
import type { Moment } from './moment.js'
import { type Kind, Recent, Room } from './recent.js'

/** The facts about the wiki that the search needs. */
export interface PageDirectory {
  pageIdOf(namespace: number, dbkey: string): number | undefined
  /** Tells which titles `pageIdOf` will look for, so that reads from the disk can overlap. */
  expect(titles: () => readonly RedirectTarget[]): void
  /** Ids of all namespaces that may contain pages. */
  namespaces(): readonly number[]
}

const BYTES = 2 ** 20
/** Of an entry and its key. */
const ENTRY_BYTES = 200

const TARGETS: Kind<number | undefined> = {
  concerns: (change) => change.titlesChange,
  weigh: () => ENTRY_BYTES,
}

export class RecentTargets {
  readonly #ids: Recent<number | undefined>
  readonly #directory: PageDirectory

  constructor(moment: Moment, directory: PageDirectory) {
    this.#ids = new Recent(moment, new Room(BYTES), TARGETS)
    this.#directory = directory
  }

  /** Tells that targets will be looked for next, so that reads from the disk can overlap. */
  expect(targets: () => readonly RedirectTarget[]): void {
    this.#directory.expect(() => targets().filter((target) => this.#ids.get(keyOf(target)) === undefined))
  }

  /** The page with a title as of this moment. */
  idOf(namespace: number, dbkey: string): number | undefined {
    const key = keyOf({ namespace, dbkey })
    const kept = this.#ids.get(key)
    if (kept !== undefined) return kept.value
    const id = this.#directory.pageIdOf(namespace, dbkey)
    this.#ids.set(key, id)
    return id
  }
}

const keyOf = ({ namespace, dbkey }: RedirectTarget): string => `${namespace} ${dbkey}`
