/** Changes of accounts, tokens, protections and visibility, for tests. */
import { createHash } from 'node:crypto'
import type { AdministrativeChange } from '../../src/storage/administration.js'
import type { Applier } from '../../src/storage/apply/applier.js'
import { type Verdict } from '../../src/storage/entries.js'
import { START } from './store.js'

let entries = 0

/** Applies a change as an entry of its own. */
export function applyChange(applier: Applier, change: AdministrativeChange, time = START): Verdict {
  const id = createHash('sha256').update(`change ${++entries}`).digest('hex').slice(0, 32)
  return applier.submit({ id, time, ...change })
}
