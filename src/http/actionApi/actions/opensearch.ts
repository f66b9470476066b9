/** `action=opensearch`: titles for a search box. */
import { parseTitle, prefixedKey, prefixedText, titleId } from '../../../domain/title.js'
import { addressesOf } from '../addresses.js'
import { defineAction, RawAnswer } from '../frame/call.js'
import { choiceOr, flag, limit, namespacesOr, requiredText, text } from '../frame/declaration.js'
import { titlesInVariants } from '../query/list/search.js'

export const openSearch = defineAction({
  name: 'opensearch',
  summary: 'Titles that begin with a text, for search boxes',
  parameters: {
    search: requiredText('beginning of titles'),
    namespace: namespacesOr([0], 'namespaces, unless the text names one'),
    limit: limit(10, 500),
    profile: text('without effect'),
    suggest: flag('without effect'),
    redirects: choiceOr('return', ['return', 'resolve'], 'redirects, or what they lead to'),
    warningsaserror: flag('without effect'),
  },
  async run(call, { search, namespace, limit: most, redirects }) {
    const { wiki, context } = call
    const addresses = addressesOf(call)
    const isNone = namespace === undefined && call.input.get('namespace') !== '*'
    const found = await titlesInVariants(search, isNone ? [0] : namespace, most, call)
    const titles = redirects === 'return' ? found : found.map((title) => targetOf(title) ?? title)
    const shown = [...new Map(titles.map((title) => [titleId(title), title])).values()]
    const names = shown.map((title) => prefixedText(title, wiki.namespaces))
    const urls = shown.map((title) => addresses.url(prefixedKey(title, wiki.namespaces)))
    return new RawAnswer([search, names, names.map(() => ''), urls])

    function targetOf(title: { namespace: number; dbkey: string }): typeof title | undefined {
      const target = context.store.getPageByTitle(title)?.redirectTarget
      const parsed = target === undefined ? undefined : parseTitle(target, wiki.namespaces)
      return parsed?.ok === true ? parsed.title : undefined
    }
  },
})
