import type { Store } from '../storage/store.js'
import { ImportRefused } from './importer.js'

/** Throws ImportRefused for a store that follows another wiki: pages and files come from there alone. */
export function requireNotFollowing(store: Store): void {
  const place = store.mirror.place()
  if (place !== undefined)
    throw new ImportRefused(`the store follows ${place.url}, which alone changes its pages and files`)
}
