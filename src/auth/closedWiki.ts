/** Wikis that nobody can write to. */
import type { Config } from '../config/config.js'
import { Refusal } from '../domain/refusal.js'
import type { Store } from '../storage/store.js'

export interface ClosedWikiContext {
  readonly config: Pick<Config, 'readOnly'>
  readonly store: Store
}

/** Why nobody can write at present, now that the store follows another wiki or a setting says so; else undefined. */
export function whyClosed({ config, store }: ClosedWikiContext): Refusal | undefined {
  if (config.readOnly) return new Refusal('apierror-readonly')
  return whyMirror(store)
}

/** Undefined for a store that follows no wiki. */
export function whyMirror(store: Store): Refusal | undefined {
  const place = store.mirror.place()
  return place && new Refusal('rest-wiki-is-mirror', [new URL(place.url).origin])
}
