/** Changes of accounts, tokens, protections and visibility, for tests. */
import { createHash } from 'node:crypto'
import type { AdministrativeChange } from '../../src/storage/entries/administration.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { type Verdict } from '../../src/storage/entries/entries.js'
import { randomEntryId } from '../../src/storage/entries/entryIds.js'
import type { Store } from '../../src/storage/store.js'
import { START } from './store.js'

let entries = 0

/** Applies a change as an entry of its own. */
export function applyChange(applier: Applier, change: AdministrativeChange, time = START): Verdict {
  const id = createHash('sha256').update(`change ${++entries}`).digest('hex').slice(0, 32)
  return applier.submit({ id, time, ...change })
}

/** Applies a change now, as a command does. */
export function changeStore(store: Store, change: AdministrativeChange): Verdict {
  return new Applier(store).submit({ id: randomEntryId(), time: Math.floor(Date.now() / 1000), ...change })
}
