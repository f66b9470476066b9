/** Preparing an edit against the store: what the pure rules of `src/edit` ask of the page as it is now. */
import { Namespaces } from '../domain/namespaces.js'
import type { Title } from '../domain/title.js'
import { prepareEdit, type PreparationResult } from '../edit/prepareEdit.js'
import type { Signer } from '../edit/signatures.js'
import { templateExpander } from '../edit/templateExpander.js'
import type { Store } from '../storage/store.js'

/** An edit as submitted, and whom and when it is from. */
export interface Preparation {
  readonly title: Title
  readonly source: string
  /** Undefined or blank: a summary is written. */
  readonly comment: string | undefined
  /** As stated; undefined when not. */
  readonly contentModel: string | undefined
  /** Latest revision of the page; undefined for a new page. */
  readonly latestId: number | undefined
  /** Revision that the editor started from, if it is known. */
  readonly baseId: number | undefined
  readonly editor: Signer
  readonly mayChangeContentModel: boolean
  /** Seconds since 1970. */
  readonly time: number
}

/** The text, comment and content model to store, or why there are none. Reads the store, writes nothing. */
export function prepare(store: Store, preparation: Preparation): PreparationResult {
  const { latestId, baseId, comment } = preparation
  const namespaces = new Namespaces(store.site())
  const latest = latestId === undefined ? undefined : store.getRevision(latestId)
  const base = baseId === undefined ? undefined : store.getRevision(baseId)
  return prepareEdit(
    {
      ...preparation,
      comment: comment ?? null,
      latest: latest && { text: store.getText(latest.id) ?? '', contentModel: latest.contentModel },
      baseContentModel: base?.contentModel,
    },
    {
      namespaces,
      expandSubstitution: templateExpander(preparation.title, namespaces, (title) =>
        readTemplate(store, title),
      ),
    },
  )
}

function readTemplate(store: Store, { namespace, dbkey }: Title): string | undefined {
  const page = store.getPage(namespace, dbkey)
  return page === undefined ? undefined : store.getText(page.latestId)
}
