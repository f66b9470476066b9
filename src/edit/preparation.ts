/** Prepares an edit: gives the rules of `prepareEdit` the facts that they need from the wiki. */
import type { InterwikiMap } from '../domain/interwiki.js'
import type { Namespaces } from '../domain/namespaces.js'
import type { Title } from '../domain/title.js'
import type { CheckModule } from './contentModels.js'
import { prepareEdit, type PreparationResult, type Substitute } from './prepareEdit.js'
import type { Signer } from './signatures.js'

/** An edit as submitted, with its editor and its time. */
export interface Preparation {
  readonly title: Title
  readonly source: string
  /** Undefined or blank: the summary is generated. */
  readonly comment: string | undefined
  /** The stated content model, or undefined. */
  readonly contentModel: string | undefined
  /** Latest revision of the page; undefined for a new page. */
  readonly latestId: number | undefined
  /** The revision that the editor started from, if known. */
  readonly baseId: number | undefined
  readonly editor: Signer
  readonly mayChangeContentModel: boolean
  /** Seconds since 1970. */
  readonly time: number
}

/** The parts of a store that know the wiki of an edit. */
export interface EditedWiki {
  getRevision(revisionId: number): { readonly id: number; readonly contentModel: string } | undefined
  /** Undefined if the text is hidden or gone. */
  getText(revisionId: number): string | undefined
  namespaces(): Namespaces
  interwiki(): InterwikiMap
}

/** Steps of an edit that take too long for the event loop. */
export interface ThreadWork {
  /** Makes the function that expands substitutions. */
  substitute(preparation: Preparation): Substitute
  checkModule(preparation: Preparation): CheckModule
}

/** On the event loop: sources that are quick to prepare (`isQuickToPrepare`) need none of these steps. */
const NO_THREAD: ThreadWork = {
  substitute: () => (text) => text,
  checkModule: () => () => {
    throw new Error('modules are checked in threads')
  },
}

/** The text, comment and content model to store, or the reason for refusal. Reads the wiki and writes nothing. */
export function prepare(
  wiki: EditedWiki,
  preparation: Preparation,
  work: ThreadWork = NO_THREAD,
): PreparationResult {
  const { latestId, baseId, comment } = preparation
  const latest = latestId === undefined ? undefined : wiki.getRevision(latestId)
  const base = baseId === undefined ? undefined : wiki.getRevision(baseId)
  return prepareEdit(
    {
      ...preparation,
      comment: comment ?? null,
      latest: latest && { text: wiki.getText(latest.id) ?? '', contentModel: latest.contentModel },
      baseContentModel: base?.contentModel,
    },
    {
      namespaces: wiki.namespaces(),
      interwiki: wiki.interwiki(),
      substitute: work.substitute(preparation),
      checkModule: work.checkModule(preparation),
    },
  )
}
