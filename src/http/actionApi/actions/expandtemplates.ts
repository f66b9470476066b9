/** `action=expandtemplates`: a text with its templates and modules expanded. */
import { addressKey } from '../../../auth/rateLimit.js'
import { parseTitle, prefixedText } from '../../../domain/title.js'
import type { ExpandedWikitext } from '../../../workers/html/renderTasks.js'
import { HttpError } from '../../reply/errors.js'
import { htmlError, requireRenderings } from '../../views/html.js'
import { type ActionCall, defineAction } from '../frame/call.js'
import { choices, deprecated, flag, integer, requiredText, textOr } from '../frame/declaration.js'
import { ActionError, invalidTitle } from '../frame/problems.js'
import { type Fields, named, Table, Wrapped } from '../frame/values.js'
import { parseTreeOf } from '../parseTree.js'

const PROPERTIES =
  'wikitext categories properties volatile ttl modules jsconfigvars encodedjsconfigvars parsetree'.split(' ')
const LEGACY =
  'Because "prop" was not specified, a legacy format has been used for the output. This format is deprecated, and in the future the new format will always be used.'

export const expandTemplates = defineAction({
  name: 'expandtemplates',
  summary: 'A text with its templates and modules expanded',
  parameters: {
    title: textOr('API', 'title of the page that the text belongs to'),
    text: requiredText('wikitext'),
    revid: integer('revision that the text is of'),
    prop: choices(PROPERTIES, 'what to tell'),
    includecomments: flag('without effect'),
    generatexml: deprecated(flag('also tell `parsetree`')),
    templatesandboxprefix: textOr('', 'without effect'),
  },
  async run(call, { title, text, revid, prop, generatexml }) {
    const parsed = parseTitle(title, call.wiki.namespaces)
    if (!parsed.ok) throw invalidTitle(title)
    const name = prefixedText(parsed.title, call.wiki.namespaces)
    if (prop === undefined) call.warnings.deprecation('expandtemplates', LEGACY)
    const expanded = await expand(text, name, requireRevision(revid, call), call)
    // Time, chance and the wiki may change it.
    call.reuse.isPersonal = true
    const { wikitext } = expanded
    const wantsTree = generatexml || prop?.includes('parsetree') === true
    const parsetree = wantsTree ? await parseTreeOf({ text }, call) : undefined
    if (prop === undefined)
      return {
        ...(parsetree !== undefined && { parsetree: new Wrapped(parsetree) }),
        expandtemplates: named('wikitext', { wikitext }),
      }
    return { expandtemplates: { parsetree, ...shown(expanded, (property) => prop.includes(property)) } }
  },
})

/** Throws a nosuchrevid, also for a revision with a hidden text. */
function requireRevision(id: number | undefined, { context }: ActionCall): number | undefined {
  if (id === undefined || context.store.getRevision(id)?.textHidden === false) return id
  throw new ActionError('nosuchrevid', `There is no revision with ID ${id}.`)
}

/** The render pool's bounds for conversions hold. */
async function expand(
  wikitext: string,
  title: string,
  revisionId: number | undefined,
  call: ActionCall,
): Promise<ExpandedWikitext> {
  const job = { task: 'expand', wikitext, title, revisionId } as const
  try {
    const bytes = await requireRenderings(call.context).convert(job, addressKey(call.client))
    return JSON.parse(Buffer.from(bytes).toString()) as ExpandedWikitext
  } catch (error) {
    const known = htmlError(error, revisionId ?? 0, true)
    if (known instanceof HttpError && known.key === 'rest-conversion-limit')
      throw new ActionError('toobig', known.message)
    throw known
  }
}

function shown(
  { wikitext, categories, lifetimeSeconds }: ExpandedWikitext,
  wants: (property: string) => boolean,
): Fields {
  return {
    ...(wants('wikitext') && { wikitext }),
    ...(wants('categories') &&
      categories.length > 0 && {
        categories: categories.map((category) =>
          named('category', { sortkey: '', category: category.replaceAll(' ', '_') }),
        ),
      }),
    ...(wants('ttl') && lifetimeSeconds !== undefined && { ttl: lifetimeSeconds }),
    ...(wants('modules') && { modules: [], modulescripts: [], modulestyles: [] }),
    ...(wants('jsconfigvars') && { jsconfigvars: new Table({}) }),
    ...(wants('encodedjsconfigvars') && { encodedjsconfigvars: '[]' }),
  }
}
