/** `prop=extracts`: the beginning of pages, or all of them, as running text. */
import { FILE } from '../../../../domain/namespaceIds.js'
import { compareTitles, prefixedText } from '../../../../domain/title.js'
import type { ExtractOptions } from '../../../../reader/extract.js'
import { choiceOr, flag, integer, integerOr, limit, type Values } from '../../frame/declaration.js'
import { requireAtMostOneOf } from '../../frame/problems.js'
import type { Fields } from '../../frame/values.js'
import type { PageEntry } from '../../pageSet/pageSet.js'
import { renderedPage } from '../../renderedPage.js'
import { defineFacts, type QueryCall } from '../module.js'

const parameters = {
  chars: integer('end at a word after so many characters', { min: 1, max: 1200 }),
  sentences: integer('so many sentences', { min: 1, max: 10 }),
  limit: limit(20, 20),
  intro: flag('only what comes before the first heading'),
  plaintext: flag('text in place of HTML'),
  sectionformat: choiceOr('wiki', ['plain', 'wiki', 'raw'], 'form of headings in texts'),
  continue: integerOr(0, 'leave out so many pages', { min: 0 }),
}
type ExtractValues = Values<typeof parameters>

export const extracts = defineFacts({
  name: 'extracts',
  prefix: 'ex',
  summary: 'Texts of pages without tables, boxes and references',
  parameters,
  async run(call, values) {
    const { prefix } = call.module
    requireAtMostOneOf({ [`${prefix}chars`]: values.chars, [`${prefix}sentences`]: values.sentences })
    const facts = new Map<PageEntry, Fields>()
    const pages = call.pages.existing().sort((one, other) => compareTitles(one.title, other.title))
    const most = limitOf(pages.length, values, call)
    const chosen = pages.slice(values.continue, values.continue + most)
    const found = await Promise.all(chosen.map((entry) => extract(entry, values, call)))
    chosen.forEach((entry, at) => facts.set(entry, { extract: found[at] }))
    if (!values.plaintext && chosen.some(({ title }) => title.namespace !== FILE)) warnOfHtml(values, call)
    const next = values.continue + most
    return { facts, ...(next < pages.length && { more: { continue: next } }) }
  },
})

/** Whole pages come one by one. */
function limitOf(
  pages: number,
  { intro, limit: most }: ExtractValues,
  { warnings, module }: QueryCall,
): number {
  if (intro) return most
  if (pages > 1 && most > 1)
    warnings.add(
      module.path,
      'exlimit',
      `"${module.prefix}limit" was too large for a whole article extracts request, lowered to 1.`,
    )
  return 1
}

function warnOfHtml({ sentences }: ExtractValues, { warnings, module }: QueryCall): void {
  if (sentences !== undefined)
    warnings.add(
      module.path,
      'exsentences',
      `The "${module.prefix}sentences" parameter may have unexpected results when used in HTML mode.`,
    )
  warnings.add(
    module.path,
    'exhtml',
    'HTML may be malformed and/or unbalanced and may omit inline images. Use at your own risk. Known problems are listed at https://www.mediawiki.org/wiki/Special:MyLanguage/Extension:TextExtracts#Caveats.',
  )
}

async function extract(entry: PageEntry, values: ExtractValues, call: QueryCall): Promise<string> {
  const { page, title } = entry
  if (page === undefined || title === undefined || page.redirectTarget !== undefined) return ''
  const { warnings, module, context, wiki } = call
  if (title.namespace === FILE) {
    const text = 'Extract for a title in File namespace was requested, none returned.'
    warnings.add(module.path, 'exfile', text)
    return ''
  }
  const revision = context.store.getRevision(page.latestId)
  if (revision === undefined || revision.textHidden) return ''
  const model = revision.contentModel
  if (model !== 'wikitext') {
    const name = prefixedText(title, wiki.namespaces)
    const text = `${name} has content model ${model}, which is not supported; returning an empty extract.`
    warnings.add(module.path, 'exmodel', text)
    return ''
  }
  const { chars: characters, sentences, intro, plaintext, sectionformat: sectionFormat } = values
  const options: ExtractOptions = {
    isIntro: intro,
    isPlain: plaintext,
    sectionFormat,
    ...(characters !== undefined && { characters }),
    ...(sentences !== undefined && { sentences }),
  }
  const { body } = await renderedPage(page.latestId, call)
  const bytes = await context.pool.run('extract', { parts: body, options })
  return Buffer.from(bytes).toString()
}
