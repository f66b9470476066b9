/** Stores in temporary folders, and the smallest pages that show a point. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ImportResult } from '../../src/cli/import/summary.js'
import { importDumps } from '../../src/cli/import/importDumps.js'
import type { ImportOptions } from '../../src/cli/import/importOptions.js'
import type { IncomingPage } from '../../src/domain/page.js'
import type { IncomingRevision } from '../../src/domain/revision.js'
import { DumpWriter } from '../../src/import/dumpWriter.js'
import type { Site } from '../../src/domain/site.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { decodeEntry, type Entry, type PageOutcome, type Verdict } from '../../src/storage/entries/entries.js'
import { readStats } from '../../src/storage/stats.js'
import { Store } from '../../src/storage/store.js'
import { verifyStore } from '../../src/storage/verify/verify.js'

/** A temporary folder that goes when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An applier that also takes the pages of dumps, as an import does. */
export class DumpApplier extends Applier {
  readonly #store: Store

  constructor(store: Store) {
    super(store)
    this.#store = store
  }

  /** Writes one batch of pages of the dump `dump`, each time as if the dump began with it. */
  importPages(dump: string, pages: readonly IncomingPage[]): readonly PageOutcome[] {
    return new DumpWriter(this.#store, this, dump).writePages(pages)
  }

  finishImport(sha256: string | null): void {
    new DumpWriter(this.#store, this, readStats(this.#store).unfinishedImport ?? '').end(sha256)
  }

  adoptSite(site: Site): Verdict {
    return new DumpWriter(this.#store, this, 'd').writeSite(site)
  }

  /** Applies an entry as the log has it; not for pages of a dump, which the log does not have. */
  replay(logged: Buffer): Verdict {
    return this.submit(decodeEntry(logged) as Entry)
  }
}

/** A new store, closed when the test ends. */
export function temporaryStore(): { store: Store; applier: DumpApplier; dataDir: string } {
  const dataDir = temporaryFolder()
  const store = Store.open(dataDir, { create: true })
  onTestFinished(() => store.close())
  return { store, applier: new DumpApplier(store), dataDir }
}

export const START = Date.UTC(2020, 0, 1) / 1000

/** A revision by `Ann` with a minute between ids, changed by `parts`. */
export function revision(
  id: number,
  text: string | undefined,
  parts: Partial<IncomingRevision> = {},
): IncomingRevision {
  return {
    id,
    parentId: undefined,
    timestamp: START + id * 60,
    editor: { id: 1, name: 'Ann' },
    comment: `edit ${id}`,
    minor: false,
    contentModel: 'wikitext',
    text,
    statedSizeBytes: undefined,
    statedSha1: undefined,
    ...parts,
  }
}

export function page(
  id: number,
  dbkey: string,
  revisions: IncomingRevision[],
  parts: Partial<IncomingPage> = {},
): IncomingPage {
  return { id, namespace: 0, dbkey, redirectTarget: undefined, revisions, ...parts }
}

/** All revision objects of a page, oldest first. */
export function history(
  store: Store,
  pageId: number,
): { id: number; delta: number | null; size: number; [field: string]: unknown }[] {
  const { revisions } = store.listRevisions(pageId, { limit: 10_000 })
  return revisions
    .reverse()
    .map((json) => JSON.parse(json.toString()) as { id: number; delta: number | null; size: number })
}

export function source(store: Store, dbkey: string, namespace = 0): string | undefined {
  const row = store.getPage(namespace, dbkey)
  return row === undefined
    ? undefined
    : (JSON.parse(`${row.source.toString()}}`) as { source?: string }).source
}

/** The problems that verify finds: none in a sound store. */
export const problems = (store: Store): readonly string[] => verifyStore(store).problems

export const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

/** Opens the store of a folder, closed when the test ends. */
export function openFolder(dataDir: string, options?: { create?: boolean }): Store {
  const store = Store.open(dataDir, options)
  onTestFinished(() => store.close())
  return store
}

/** Imports dumps with the real importer. Returns its results and notes, and the error that ended it. */
export async function importInto(
  dataDir: string,
  paths: readonly string[],
  options: Partial<ImportOptions> = {},
): Promise<{ results: ImportResult[]; error: Error | undefined; notes: string[] }> {
  const notes: string[] = []
  const display = {
    show: () => undefined,
    print: (line: string) => notes.push(line),
    stop: () => undefined,
  }
  try {
    const results = await importDumps({ dataDir, paths, display, ...options })
    return { results, error: undefined, notes }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { results: [], error, notes }
  }
}
