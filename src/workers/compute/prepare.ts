/** Preparing an edit against the store: what the pure rules of `src/edit` ask of the page as it is now. */
import type { Title } from '../../domain/title.js'
import { prepareEdit, type PreparationResult } from '../../edit/prepareEdit.js'
import type { Signer } from '../../edit/signatures.js'
import type { Substitute } from '../../edit/substitution.js'
import type { PageFacts } from '../../render/preprocessor/source.js'
import type { Store } from '../../storage/store.js'
import type { PageExpander } from '../html/pageExpander.js'

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

/** Makes the function that puts substitutions in for an edit. */
export type SubstituteFor = (preparation: Preparation) => Substitute

/**
 * The text, comment and content model to store, or why there are none. Reads the store, writes nothing. Without
 * `substituteFor` no template is put in: sources that are quick to prepare (`isQuickToPrepare`) have none.
 */
export function prepare(
  store: Store,
  preparation: Preparation,
  substituteFor: SubstituteFor = () => (text) => text,
): PreparationResult {
  const { latestId, baseId, comment } = preparation
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
      namespaces: store.namespaces(),
      interwiki: store.interwiki(),
      substitute: substituteFor(preparation),
    },
  )
}

/**
 * Substitution by the template preprocessor, which knows what renderings know. A text that reaches one of its limits,
 * or puts a template into itself, is saved as it was written: what somebody wrote must not give way to a message.
 */
export function substituteWith(store: Store, expander: PageExpander): SubstituteFor {
  return ({ title, source, editor, time }) => {
    const page: PageFacts = {
      title,
      id: store.getPage(title.namespace, title.dbkey)?.pageId,
      revision: {
        id: undefined,
        timestamp: time,
        userName: editor.name,
        sizeBytes: Buffer.byteLength(source),
      },
    }
    return (text) => {
      const { preprocessor } = expander.begin(page, time)
      const { wikitext } = preprocessor.substitute(text)
      return preprocessor.report.isWhole ? wikitext : text
    }
  }
}
