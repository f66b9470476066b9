/**
 * Overwrites what erased rows left in the store's file: the unused room within pages, then free pages. It works in
 * steps of some milliseconds, in which no process writes to the store. Readers are not disturbed, whatever their
 * snapshots.
 *
 * After the rows of an erasure are gone, LMDB writes only pages without their words: it fills new pages with zeros
 * first. So one walk in this order finds all: a page in use loses its unused room, a page that is let go meanwhile
 * has lost it before, and free pages come last.
 */
import { DamagedFileError } from '../tables/errors.js'
import { type Meta, readMetaPages } from '../file/metaPages.js'
import { tableTrees, TreeWalks } from '../file/treeWalk.js'
import { wipeFree, wipeSlack } from '../file/wipe.js'
import { WritableFile } from '../file/storeFile.js'
import { readMeta, writeMeta } from '../tables/meta.js'
import type { Store } from '../store.js'

/** Pages in one step: some 5 ms of processor time. */
const PAGES_AT_ONCE = 256
/** Another process may be writing a meta page just then. */
const META_TRIES = 50

type WipeState =
  | { readonly isDone: false }
  /** `heldPages`: free pages that readers of older snapshots still see. They are to be overwritten later. */
  | { readonly isDone: true; readonly heldPages: number }

interface Snapshot {
  readonly meta: Meta
  /** Nobody sees the pages that this transaction or an earlier one let go. */
  readonly unseen: number
}

export class Wiper {
  readonly #store: Store
  readonly #file: WritableFile
  /** The table to go on with, and the key in it. */
  #table = ''
  #key: Buffer | undefined
  #page = 0
  #faults = 0

  /** Call `close` at the end. */
  constructor(store: Store) {
    this.#store = store
    this.#file = new WritableFile(store.file)
  }

  close(): void {
    this.#file.close()
  }

  /** Takes the next step. After the last one, `meta.wipe` is gone, unless readers still see free pages. */
  step(): WipeState {
    const row = readMeta(this.#store.tables, 'wipe')
    if (row === undefined) return { isDone: true, heldPages: 0 }
    if (row.part === 'slack') {
      const last = this.#underLock((snapshot) => this.#wipeSlack(snapshot))
      if (last !== undefined) this.#beginFree(last)
      return { isDone: false }
    }
    const heldPages = this.#underLock((snapshot) => this.#wipeFree(snapshot, row.last))
    if (heldPages === undefined) return { isDone: false }
    this.#file.flush()
    this.#page = 0
    if (heldPages === 0) this.#store.transactDerived(() => this.#store.tables.meta.removeSync('wipe'))
    return { isDone: true, heldPages }
  }

  /** After this transaction no snapshot of earlier ones is needed, so their free pages can be overwritten. */
  #beginFree(last: number): void {
    this.#file.flush()
    this.#store.transactDerived(() => writeMeta(this.#store.tables, 'wipe', { part: 'free', last }))
  }

  /** Undefined: the meta pages could not be read this time. */
  #underLock<T>(action: (snapshot: Snapshot) => T): T | undefined {
    return this.#store.whileUnwritten((oldestSnapshot) => {
      const pages = readMetaPages(this.#file)
      if (pages.newest === undefined) {
        if (++this.#faults < META_TRIES) return undefined
        throw new DamagedFileError(`the store's file is damaged: ${pages.fault}`)
      }
      const { newest: meta, synced } = pages
      this.#faults = 0
      return action({ meta, unseen: Math.min(oldestSnapshot, synced, meta.transaction - 1) })
    })
  }

  /** The newest transaction, at the end. */
  #wipeSlack({ meta }: Snapshot): number | undefined {
    const report = (fault: string): never => {
      throw new DamagedFileError(`${fault}, so nothing more is overwritten: run "palimpsest verify"`)
    }
    const file = this.#file
    const { pageBytes } = meta
    const trees = [...tableTrees(new TreeWalks({ file, meta, report }), meta)]
    const place = trees.find(({ name }) => name >= this.#table)
    if (place === undefined) {
      // Small trees without places of their own.
      for (const tree of [meta.tables, meta.freePages])
        wipeSlack(file, { tree, pageBytes, from: undefined, maxPages: Infinity })
      this.#table = ''
      return meta.transaction
    }
    const { name, tree } = place
    const from = name === this.#table ? this.#key : undefined
    this.#key = wipeSlack(file, { tree, pageBytes, from, maxPages: PAGES_AT_ONCE })
    this.#table = this.#key === undefined ? `${name}\0` : name
    return undefined
  }

  /** The number of pages that are held, at the end. */
  #wipeFree({ meta, unseen }: Snapshot, last: number): number | undefined {
    const step = { meta, unseen, last, from: this.#page, maxPages: 4 * PAGES_AT_ONCE }
    const { next, held } = wipeFree(this.#file, step)
    if (next === undefined) return held
    this.#page = next
    return undefined
  }
}
