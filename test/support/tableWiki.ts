/** Wikis for imports of SQL tables and snapshots. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { replayLog } from '../../src/import/replayLog.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { WHOLE_TABLE } from '../../src/storage/tables/tables.js'
import { digestStore } from '../../src/storage/verify/digest.js'
import { type DumpPage, dumpXml } from './dump.js'
import { importInto, openFolder, problems, temporaryFolder } from './store.js'

export const PAGES: DumpPage[] = [
  { id: 1, title: 'Moon', revisions: [{ id: 1, text: 'moon [[nl:Uit de tekst]]' }] },
  { id: 2, title: 'Sea', revisions: [{ id: 2, text: 'sea' }] },
]

export interface Wiki {
  readonly dataDir: string
  /** Writes a file beside the wiki, and returns its path. */
  readonly write: (name: string, contents: string | Buffer) => string
  /** Runs `read` on the open store, which must be sound. */
  readonly read: <T>(read: (store: Store) => T) => Promise<T>
}

export function emptyWiki(): Wiki {
  const folder = temporaryFolder()
  const dataDir = join(folder, 'data')
  return {
    dataDir,
    write(name, contents) {
      const path = join(folder, name)
      writeFileSync(path, contents)
      return path
    },
    async read(read) {
      const store = Store.open(dataDir)
      try {
        expect(problems(store)).toEqual([])
        return read(store)
      } finally {
        await store.close()
      }
    },
  }
}

/** A wiki with the pages above. */
export async function wiki(pages: readonly DumpPage[] = PAGES): Promise<Wiki> {
  const made = emptyWiki()
  const { error } = await importInto(made.dataDir, [made.write('pages.xml', dumpXml(pages))])
  expect(error).toBeUndefined()
  return made
}

/** Replays the log of a store, and expects the same store. */
export async function expectReplay(from: Store, dumps: readonly string[]): Promise<void> {
  const into = openFolder(temporaryFolder(), { create: true })
  await replayLog({
    from,
    into,
    applier: new Applier(into),
    dumps,
  })
  expect(digestStore(into)).toBe(digestStore(from))
  expect(into.tables.sqlRow.getKeysCount({ ...WHOLE_TABLE })).toBe(
    from.tables.sqlRow.getKeysCount({ ...WHOLE_TABLE }),
  )
}
