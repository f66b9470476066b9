/** Opens a store for commands, and applies single entries. Servers may use the store meanwhile. */
import { join } from 'node:path'
import { Applier } from '../storage/apply/applier.js'
import type { Change, Verdict } from '../storage/entries.js'
import { randomEntryId } from '../storage/entryIds.js'
import { Store } from '../storage/store.js'
import { nowSeconds } from './expiry.js'
import { CommandLockWatch } from './lockWatch.js'

export interface OpenOptions {
  /** Create the store if it is missing. */
  readonly create?: boolean
}

/** Opens the store for a command that may write to it. */
export function openStore(dataDir: string, options: OpenOptions = {}): Store {
  return Store.open(dataDir, { ...options, lockWatch: new CommandLockWatch(join(dataDir, 'store')) })
}

/** Applies a change as one log entry with the current time. */
export function applyChange(store: Store, change: Change): Verdict {
  return new Applier(store).submit({ id: randomEntryId(), time: nowSeconds(), ...change })
}
