/** What moving, deleting and protecting pages have in common. */
import { whyMirror } from '../auth/closedWiki.js'
import type { Clock } from '../context.js'
import { FILE } from '../domain/namespaceIds.js'
import { Refusal } from '../domain/refusal.js'
import type { Title } from '../domain/title.js'
import type { EntryWriter } from '../log/entryWriter.js'
import type { Entry, Verdict } from '../storage/entries/entries.js'
import type { ProtectionRow } from '../storage/pages/protections.js'
import type { PageSummary, Store } from '../storage/store.js'
import { PageRefusal } from './pageRefusal.js'
import type { TextReader } from './readText.js'

export interface PageActionContext extends TextReader {
  readonly writer: EntryWriter
  readonly clock: Clock
}

/** Writes an entry. Throws a Refusal if the wiki follows another one. */
export async function writeAction({ store, writer }: PageActionContext, entry: Entry): Promise<Verdict> {
  const verdict = await writer.write(entry)
  store.refresh()
  if (verdict.result === 'following') throw whyMirror(store) ?? new Refusal('apierror-readonly')
  return verdict
}

/** Throws a missingtitle. */
export function pageAt(store: Store, title: Title): PageSummary {
  const page = store.getPageByTitle(title)
  if (page === undefined) throw new PageRefusal('missingtitle')
  return page
}

/** A title without what else an object has. */
export const plain = ({ namespace, dbkey }: Title): Title => ({ namespace, dbkey })

export const isPageProtected = ({ edit, move = 'none' }: ProtectionRow): boolean =>
  edit !== 'none' || move !== 'none'

/** What is left of the protection of a title without its page. */
export const withoutPage = ({ create, expires }: ProtectionRow): ProtectionRow => ({
  edit: 'none',
  create,
  expires,
})

/** The name of the file that moves, goes and comes back with a page; undefined for a page without one. */
export function fileOf(
  store: Store,
  { namespace, dbkey }: Title,
  refusal: 'cannotdelete' | 'filemove-elsewhere',
): string | undefined {
  if (namespace !== FILE) return undefined
  if (store.getOwnFile(dbkey) !== undefined) return dbkey
  // A shared repository keeps its files.
  if (store.getFile(dbkey)?.isOfWiki === true) throw new PageRefusal(refusal)
  return undefined
}
