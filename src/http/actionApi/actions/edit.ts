/** `action=edit`: saves a page by the same way as the REST API. */
import type { RevisionRow } from '../../../storage/store.js'
import { KNOWN_CONTENT_MODELS } from '../../../domain/contentModel.js'
import { Refusal } from '../../../domain/refusal.js'
import { formatTimestamp } from '../../../domain/timestamp.js'
import { parseTitle, prefixedText, type Title } from '../../../domain/title.js'
import { saveEdit } from '../../../wiki/saving.js'
import { credentialsOf } from '../../request/credentials.js'
import { type ActionCall, defineAction } from '../frame/call.js'
import { choice, flag, integer, secret, text, timestamp, type Values } from '../frame/declaration.js'
import {
  ActionError,
  invalidTitle,
  noSuchPage,
  requireAtLeastOneOf,
  requireOneOf,
} from '../frame/problems.js'
import type { Fields } from '../frame/values.js'
import { walkHistory } from '../query/historyWalk.js'

const parameters = {
  title: text('the page'),
  pageid: integer('its id'),
  section: text('`new` adds a section; other sections cannot be edited alone'),
  sectiontitle: text('heading of the new section'),
  text: text('the text'),
  summary: text('what was changed; without a heading of its own, also that of a new section'),
  tags: text('without effect'),
  minor: flag('a minor edit'),
  notminor: flag('no minor edit'),
  bot: flag('without effect: accounts of the group count as bots'),
  baserevid: integer('the revision that the text was made from'),
  basetimestamp: timestamp('its time, in place of `baserevid`'),
  starttimestamp: timestamp('without effect'),
  recreate: flag('without effect'),
  createonly: flag('an error if the page exists'),
  nocreate: flag('an error if the page is missing'),
  watch: flag('without effect'),
  watchlist: text('without effect'),
  md5: text('without effect'),
  prependtext: text('put before the text of the page'),
  appendtext: text('put after the text of the page'),
  redirect: flag('without effect'),
  contentformat: text('without effect'),
  contentmodel: choice(KNOWN_CONTENT_MODELS, 'content model of a new page'),
  token: secret('token of the type `csrf`'),
}
type EditValues = Values<typeof parameters>

export const edit = defineAction({
  name: 'edit',
  summary: 'Create or change a page',
  mustBePosted: true,
  needsToken: true,
  parameters,
  async run(call, values) {
    const title = titleOf(call, values)
    const { text: whole, appendtext, prependtext } = values
    // An empty text is one.
    if (whole === undefined)
      requireAtLeastOneOf({ text: whole, appendtext: has(appendtext), prependtext: has(prependtext) })
    try {
      return { edit: await save(title, call, values) }
    } catch (error) {
      throw error instanceof Refusal ? refused(error) : error
    }
  },
})

const has = (given: string | undefined): true | undefined => (given === undefined ? undefined : true)

function titleOf({ wiki, context }: ActionCall, { title: given, pageid }: EditValues): Title {
  requireOneOf({ title: given, pageid })
  if (pageid !== undefined) {
    const page = context.store.getPageById(pageid)
    if (page === undefined) throw noSuchPage(pageid)
    return { namespace: page.namespace, dbkey: page.dbkey }
  }
  const interwiki = context.store.interwiki()
  const parsed = parseTitle(given ?? '', wiki.namespaces, (prefix) => interwiki.has(prefix))
  if (!parsed.ok) throw invalidTitle(given ?? '')
  if (parsed.title.namespace < 0)
    throw new ActionError('pagecannotexist', "Namespace doesn't allow actual pages.")
  return parsed.title
}

async function save(title: Title, call: ActionCall, values: EditValues): Promise<Fields> {
  const { context, wiki, request } = call
  const { store, identities } = context
  const identity = await identities.requireWriter(credentialsOf(request, wiki), wiki.namespaces, values.token)
  const row = store.getPage(title.namespace, title.dbkey)
  const latest = row && store.getRevision(row.latestId)
  if (latest === undefined && values.nocreate)
    throw new ActionError('missingtitle', "The page you specified doesn't exist.")
  if (latest !== undefined && values.createonly)
    throw new ActionError('articleexists', 'The article you tried to create has been created already.')
  const base = latest && baseOf(latest, values, call)
  const saved = await saveEdit(context, {
    title,
    source: sourceOf(latest && store.getText(latest.id), values),
    comment: commentOf(values),
    contentModel: values.contentmodel,
    baseId: base,
    minor: values.minor && !values.notminor && identity.rights.has('minoredit'),
    identity,
  })
  const revision = store.getRevision(saved.revisionId)
  const isSame = saved.revisionId === latest?.id
  return {
    result: 'Success',
    pageid: saved.pageId,
    title: prefixedText(title, wiki.namespaces),
    contentmodel: revision?.contentModel ?? 'wikitext',
    ...(saved.created && { new: true }),
    ...(isSame
      ? { nochange: true }
      : {
          oldrevid: latest?.id ?? 0,
          newrevid: saved.revisionId,
          ...(revision && { newtimestamp: formatTimestamp(revision.timestamp) }),
        }),
  }
}

/** The revision that the client started from: the latest one unless it says so. */
function baseOf(
  latest: RevisionRow,
  { baserevid, basetimestamp }: EditValues,
  { context }: ActionCall,
): number {
  if (baserevid !== undefined) {
    const base = context.store.getRevision(baserevid)
    if (base?.pageId !== latest.pageId)
      throw new ActionError('nosuchrevid', `There is no revision with ID ${baserevid}.`)
    return baserevid
  }
  if (basetimestamp === undefined || latest.timestamp <= basetimestamp) return latest.id
  const walk = {
    pageId: latest.pageId,
    isNewer: false,
    from: { timestamp: basetimestamp },
    to: undefined,
    maxRows: 1,
  }
  for (const revision of walkHistory(context.store, walk)) return revision.id
  return latest.id
}

function sourceOf(present: string | undefined, values: EditValues): string {
  const { text: whole, prependtext = '', appendtext = '', section, sectiontitle, summary } = values
  if (section !== undefined && section !== 'new')
    throw new ActionError(
      'sectionsnotsupported',
      'This server cannot edit a section alone. Send the whole text.',
    )
  if (section === 'new') {
    const heading = sectiontitle ?? summary ?? ''
    const added = heading === '' ? (whole ?? '') : `== ${heading} ==\n\n${whole ?? ''}`
    return present === undefined || present === '' ? added : `${present}\n\n${added}`
  }
  const isAddition = values.prependtext !== undefined || values.appendtext !== undefined
  return isAddition ? prependtext + (present ?? '') + appendtext : (whole ?? '')
}

function commentOf({ section, sectiontitle, summary }: EditValues): string | undefined {
  if (section !== 'new') return summary
  const heading = sectiontitle ?? summary
  return heading === undefined
    ? undefined
    : `/* ${heading} */ ${sectiontitle === undefined ? 'new section' : (summary ?? 'new section')}`
}

const CODES: Readonly<Record<string, string>> = {
  protectedpagetext: 'protectedpage',
  actionthrottledtext: 'ratelimited',
  'rest-wiki-is-mirror': 'readonly',
  'rest-missing-token': 'missingparam',
}

/** Codes of MediaWiki for refusals of the use case. */
const refused = ({ key, message }: Refusal): ActionError =>
  new ActionError(CODES[key] ?? key.replace(/^(?:apierror|rest)-/, ''), message)
