/** Removes files from the wiki. */
import { type FileFacts } from '../../domain/file.js'
import { FILE } from '../../domain/namespaceIds.js'
import { parseTitle } from '../../domain/title.js'
import { Originals } from '../../files/originals.js'
import { ContentHolders } from '../../import/files/contentHolders.js'
import { readOwnFile } from '../../storage/pages/files.js'
import type { Store } from '../../storage/store.js'
import { CommandError } from '../commandError.js'
import { formatCount } from '../import/progress.js'
import type { StorePlace } from '../storeAccess.js'
import { withLockedStore } from './lockedStore.js'

/** Removes all files or none: an unknown name stops the command before it removes anything. */
export async function removeFiles(place: StorePlace, names: readonly string[]): Promise<void> {
  await withLockedStore(place, async (store, writer) => {
    const found = names.map((name) => requireFile(store, name))
    const holders = new ContentHolders(store)
    const originals = new Originals(place.dataDir)
    for (const { dbkey, facts } of found) {
      await writer.apply({ kind: 'file', dbkey, facts: null })
      if (facts.sha256 !== null && holders.drop(facts.sha256, dbkey)) originals.remove(facts.sha256)
    }
    process.stdout.write(`${formatCount(found.length)} files removed\n`)
  })
}

function requireFile(store: Store, name: string): { readonly dbkey: string; readonly facts: FileFacts } {
  const namespaces = store.namespaces()
  const given = parseTitle(name, namespaces)
  const hasPrefix = given.ok && given.title.namespace === FILE
  const parsed = hasPrefix ? given : parseTitle(namespaces.keyPrefix(FILE) + name, namespaces)
  const facts = parsed.ok ? readOwnFile(store, parsed.title.dbkey) : undefined
  if (parsed.ok && facts === undefined && store.getFile(parsed.title.dbkey) !== undefined)
    throw new CommandError(
      `"${name}" is known from an imported SQL table only, and nothing was removed: import a newer table`,
    )
  if (!parsed.ok || facts === undefined)
    throw new CommandError(
      `there is no file "${name}", and nothing was removed: "palimpsest files list" lists all`,
    )
  return { dbkey: parsed.title.dbkey, facts }
}
