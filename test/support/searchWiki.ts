/** Wikis to search: pages by title and text, written by entries as edits are. */
import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Namespaces } from '../../src/domain/namespaces.js'
import { parseTitle } from '../../src/domain/title.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { type Verdict } from '../../src/storage/entries/entries.js'
import { Store } from '../../src/storage/store.js'
import { afterFile, removeAfterFile } from './cleanUp.js'

/** A wiki whose pages can be written. */
export class SearchWiki {
  #entries = 0

  constructor(
    readonly store: Store,
    readonly applier: Applier,
    readonly dataDir: string,
  ) {}

  /** Creates a page, or changes its text. */
  write(title: string, text: string, contentModel = 'wikitext', time = 1_700_000_000): Verdict {
    const parsed = parseTitle(title, new Namespaces(this.store.site()))
    if (!parsed.ok) throw new Error(`${title} is no title`)
    const { namespace, dbkey } = parsed.title
    const id = createHash('sha256')
      .update(`${++this.#entries}`)
      .digest('hex')
      .slice(0, 32)
    const change = { id, time, editor: { id: 1, name: 'Ann' }, comment: '', minor: false }
    const page = this.store.getPage(namespace, dbkey)
    const target =
      page === undefined
        ? { kind: 'create' as const, namespace, dbkey }
        : { kind: 'edit' as const, pageId: page.pageId, baseRevisionId: page.latestId }
    return this.applier.submit({ ...change, ...target, contentModel, text })
  }
}

/** A wiki with these pages, in a folder that goes when the tests of the file have ended. */
export function wikiWith(pages: Readonly<Record<string, string>>): SearchWiki {
  const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-'))
  const store = Store.open(dataDir, { create: true })
  afterFile(() => store.close())
  removeAfterFile(dataDir)
  const wiki = new SearchWiki(store, new Applier(store), dataDir)
  for (const [title, text] of Object.entries(pages)) wiki.write(title, text)
  return wiki
}
