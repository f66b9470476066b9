/** Prepares an edit: gives the rules of `src/edit` the facts that they need from the store. */
import { prefixedKey, type Title } from '../../domain/title.js'
import type { CheckModule } from '../../edit/moduleSource.js'
import { prepareEdit, type PreparationResult } from '../../edit/prepareEdit.js'
import type { Signer } from '../../edit/signatures.js'
import type { Substitute } from '../../edit/substitution.js'
import type { LuaRuntime } from '../../render/lua/runtime.js'
import type { PageFacts } from '../../render/preprocessor/source.js'
import type { Store } from '../../storage/store.js'
import type { PageExpander } from '../html/pageExpander.js'

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

/** The text, comment and content model to store, or the reason for refusal. Reads the store and writes nothing. */
export function prepare(
  store: Store,
  preparation: Preparation,
  work: ThreadWork = NO_THREAD,
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
      substitute: work.substitute(preparation),
      checkModule: work.checkModule(preparation),
    },
  )
}

/** Compiles modules under the name that Lua uses in messages. Without `lua`, nothing is checked. */
export function checkWith(
  store: Store,
  lua: Pick<LuaRuntime, 'checkSyntax'> | undefined,
): ThreadWork['checkModule'] {
  return ({ title }) =>
    (source) =>
      lua?.checkSyntax(prefixedKey(title, store.namespaces()), source)
}

/**
 * Expands substitutions with the template preprocessor, which has the same sources as renderings. If a text exceeds a
 * limit, or a template contains itself, the text is saved as written. An error message must not replace the author's
 * text.
 */
export function substituteWith(store: Store, expander: PageExpander): ThreadWork['substitute'] {
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
