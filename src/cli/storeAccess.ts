/** Shared by commands that change a store: opening it, and applying one entry. Servers may use the store meanwhile. */
import { join } from 'node:path'
import { parseTitle, type Title } from '../domain/title.js'
import { Applier } from '../storage/apply/applier.js'
import type { Change, Verdict } from '../storage/entries.js'
import { randomEntryId } from '../storage/entryIds.js'
import { Store } from '../storage/store.js'
import { CommandLockWatch } from './lockWatch.js'
import { UserError } from '../userError.js'
import { toSeconds } from '../domain/timestamp.js'

/** The request is impossible; the message gives the reason. */
export class CommandError extends UserError {
  override readonly name = 'CommandError'
}

/** Opens the store for a command that may write to it. */
export function openStore(dataDir: string, options: { readonly create?: boolean } = {}): Store {
  return Store.open(dataDir, { ...options, lockWatch: new CommandLockWatch(join(dataDir, 'store')) })
}

/** Opens the store for the duration of `action`. */
export async function withStore<Result>(
  dataDir: string,
  action: (store: Store) => Result | Promise<Result>,
  options: { readonly create?: boolean } = {},
): Promise<Result> {
  const store = openStore(dataDir, options)
  try {
    return await action(store)
  } finally {
    await store.close()
  }
}

/** Applies a change as one log entry with the current time. */
export function applyChange(store: Store, change: Change): Verdict {
  return new Applier(store).submit({ id: randomEntryId(), time: nowSeconds(), ...change })
}

export const nowSeconds = (): number => toSeconds(Date.now())

/** Parses a title from the command line. Throws a CommandError. */
export function requireTitle(store: Store, text: string): Title {
  const parsed = parseTitle(text, store.namespaces())
  if (!parsed.ok || parsed.title.namespace < 0) throw new CommandError(`"${text}" is not the title of a page`)
  return parsed.title
}

/** Prints rows in aligned columns. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  for (const row of rows) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column]!))
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`)
  }
}
