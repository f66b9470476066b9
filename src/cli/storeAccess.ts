/** Shared by commands that read a store, or change it by single entries. They ask on the terminal, and print tables. */
import { parseTitle, type Title } from '../domain/title.js'
import type { Change, Verdict } from '../storage/entries/entries.js'
import type { Store } from '../storage/store.js'
import { CommandError } from './commandError.js'
import type { OpenOptions } from './openStore.js'

/**
 * Applies a change as one log entry with the current time. On a node of a cluster, brings it into the shared log and
 * waits until this node has applied it. Throws a CommandError if it does not get there.
 */
export type ApplyChange = (change: Change) => Promise<Verdict>

/** The store that a command works on. */
export interface StorePlace {
  readonly dataDir: string
  /** Of the cluster; not needed by commands that only read. */
  readonly log?: string
}

/** Loads the store's modules, and opens the store for the duration of `action`. */
export async function withStore<Result>(
  { dataDir, log = '' }: StorePlace,
  action: (store: Store, apply: ApplyChange) => Result | Promise<Result>,
  options: OpenOptions = {},
): Promise<Result> {
  const { CommandWriter, openStore } = await import('./openStore.js')
  const store = openStore(dataDir, options)
  const writer = new CommandWriter(store, log)
  try {
    return await action(store, (change) => writer.apply(change))
  } finally {
    await writer.close()
    await store.close()
  }
}

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

/** Asks on the terminal whether to go on: true for yes. Throws a CommandError where nobody can answer. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new CommandError('there is no terminal to ask on: add --yes')
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
  } finally {
    lines.close()
  }
}
