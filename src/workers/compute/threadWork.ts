/** Steps of an edit that only threads do: they have Lua and the template preprocessor. */
import { prefixedKey } from '../../domain/title.js'
import type { ThreadWork } from '../../edit/preparation.js'
import type { LuaRuntime } from '../../render/lua/runtime.js'
import type { PageFacts } from '../../render/preprocessor/source.js'
import type { Store } from '../../storage/store.js'
import type { PageExpander } from '../html/pageExpander.js'

/** Compiles modules under the name that Lua uses in messages. Without `lua`, nothing is checked. */
export function checkWith(
  store: Pick<Store, 'namespaces'>,
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
export function substituteWith(
  store: Pick<Store, 'getPage'>,
  expander: PageExpander,
): ThreadWork['substitute'] {
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
