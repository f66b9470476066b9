/** `action=compare`: two revisions or texts, as the rows of MediaWiki's table. */
import { formatTimestamp } from '../../../domain/timestamp.js'
import { parseTitle, prefixedText, type Title } from '../../../domain/title.js'
import { KNOWN_CONTENT_MODELS } from '../../../domain/contentModel.js'
import type { RevisionRow } from '../../../storage/store.js'
import type { TaskInput } from '../../../workers/compute/tasks.js'
import { HttpError } from '../../reply/errors.js'
import { type ActionCall, defineAction } from '../frame/call.js'
import { choice, choiceOr, choices, choicesOr, deprecated, flag, integer } from '../frame/declaration.js'
import { text, title, type Values } from '../frame/declaration.js'
import { ActionError, invalidTitle, missingParameter, noSuchPage } from '../frame/problems.js'
import { requireAtLeastOneOf, requireAtMostOneOf, shown } from '../frame/problems.js'
import { type Fields, named } from '../frame/values.js'
import { titleFields } from '../pageSet/pageSet.js'
import { parsedComment, sectionText, shownOf, userFields } from '../revisionFields.js'

const PROPERTIES = 'diff diffsize rel ids title user comment parsedcomment size timestamp'.split(' ')
const SLOTS = ['main']

const parameters = {
  fromtitle: title('page of the first text'),
  fromid: integer('its id'),
  fromrev: integer('its revision'),
  fromslots: choices(SLOTS, 'slots that `fromtext-main` gives'),
  'fromtext-main': text('the first text'),
  'fromcontentmodel-main': choice(KNOWN_CONTENT_MODELS, 'without effect'),
  'fromcontentformat-main': text('without effect'),
  frompst: flag('without effect'),
  fromtext: deprecated(text('the first text')),
  fromcontentmodel: deprecated(choice(KNOWN_CONTENT_MODELS, 'without effect')),
  fromcontentformat: deprecated(text('without effect')),
  fromsection: deprecated(text('only this section of the first text')),
  totitle: title('page of the second text'),
  toid: integer('its id'),
  torev: integer('its revision'),
  torelative: choice(['cur', 'next', 'prev'], 'the revision beside the first one'),
  toslots: choices(SLOTS, 'slots that `totext-main` gives'),
  'totext-main': text('the second text'),
  'tocontentmodel-main': choice(KNOWN_CONTENT_MODELS, 'without effect'),
  'tocontentformat-main': text('without effect'),
  topst: flag('without effect'),
  totext: deprecated(text('the second text')),
  tocontentmodel: deprecated(choice(KNOWN_CONTENT_MODELS, 'without effect')),
  tocontentformat: deprecated(text('without effect')),
  tosection: deprecated(text('only this section of the second text')),
  prop: choicesOr(['diff', 'ids', 'title'], PROPERTIES, 'what to tell'),
  slots: choices(SLOTS, 'a comparison for each slot', { all: true }),
  difftype: choiceOr('table', ['table', 'inline'], 'form of the comparison'),
}
type CompareValues = Values<typeof parameters>
type Text = TaskInput<'comparisonTable'>['from']

/** One of the two. Neither a revision nor a title for a text of the request alone. */
interface Side {
  readonly revision: RevisionRow | undefined
  readonly title: Title | undefined
  readonly pageId: number | undefined
  readonly text: Text
}

type Name = 'from' | 'to'

export const compare = defineAction({
  name: 'compare',
  summary: 'The differences of two revisions or texts',
  parameters,
  async run(call, values) {
    requireComparisons(call)
    const { prop, slots, difftype: rows } = values
    const { from, to } = await sidesOf(values, call)
    const wants = (name: string): boolean => prop.includes(name)
    const fields = { ...sideFields('from', from, wants, call), ...sideFields('to', to, wants, call) }
    const isNeeded = wants('diff') || wants('diffsize')
    const body = isNeeded ? await tableOf(from, to, rows, call) : new Uint8Array()
    const all: Fields = {
      ...fields,
      ...(wants('rel') && relativeFields(from, to, call)),
      ...(wants('diffsize') && { diffsize: body.byteLength }),
      ...(wants('diff') && shownTable(Buffer.from(body).toString(), slots)),
    }
    return { compare: Object.keys(all).length === 0 ? [] : named('body', all) }
  },
})

const shownTable = (table: string, slots: readonly string[] | undefined): Fields =>
  slots === undefined ? { body: table } : { bodies: Object.fromEntries(slots.map((slot) => [slot, table])) }

function requireComparisons({ context }: ActionCall): void {
  if (!context.config.diff)
    throw new ActionError('unsupported', new HttpError('rest-compare-wikidiff2').message)
}

async function sidesOf(
  values: CompareValues,
  call: ActionCall,
): Promise<{ from: Side | undefined; to: Side | undefined }> {
  const { fromtitle, fromid, fromrev, fromtext, fromslots } = values
  const { totitle, toid, torev, totext, torelative, toslots } = values
  requireAtMostOneOf({ fromtitle, fromid, fromrev })
  requireAtMostOneOf({ totitle, toid, torev, torelative })
  const listed = (slots: readonly string[] | undefined): string | undefined => slots?.join('|')
  requireAtLeastOneOf({ fromtitle, fromid, fromrev, fromtext, fromslots: listed(fromslots) })
  requireAtLeastOneOf({ totitle, toid, torev, totext, torelative, toslots: listed(toslots) })
  const from = await side('from', values, call)
  if (torelative !== undefined) return relativeSides(from, torelative, call)
  const to = await side('to', values, call)
  if (from.title === undefined && to.title === undefined && !isModelGiven(values))
    call.warnings.add(
      'compare',
      'no-content-model',
      'No content model could be determined, assuming wikitext.',
    )
  return { from, to }
}

const isModelGiven = (values: CompareValues): boolean =>
  [
    values['fromcontentmodel-main'],
    values['tocontentmodel-main'],
    values.fromcontentmodel,
    values.tocontentmodel,
  ].some((model) => model !== undefined)

async function side(name: Name, values: CompareValues, call: ActionCall): Promise<Side> {
  const { store } = call.context
  const row = revisionOf(name, values, call)
  const page = row && store.getPageById(row.pageId)
  const place = { title: page, pageId: page?.pageId }
  const given = givenText(name, values)
  if (given !== undefined || row === undefined)
    return { ...place, revision: undefined, text: { text: given ?? '' } }
  requireText(row)
  const section = values[`${name}section`]
  if (section === undefined) return { ...place, revision: row, text: { revisionId: row.id } }
  const part = await sectionText(
    row.id,
    section,
    call,
    (number) => new ActionError('nosuchsection', `There is no section ${number} in revision ${row.id}.`),
  )
  return { ...place, revision: row, text: { text: part ?? '' } }
}

/** The text of the request; throws a missingparam if it names the slot without its text. */
function givenText(name: Name, values: CompareValues): string | undefined {
  const slots = values[`${name}slots`]
  if (slots === undefined || slots.length === 0) return values[`${name}text`]
  const given = values[`${name}text-main`]
  if (given === undefined) throw missingParameter(`${name}text-main`)
  return given
}

function requireText({ id, textHidden }: RevisionRow): void {
  if (textHidden) throw new ActionError('missingcontent', `Missing content for revision ID ${id}.`)
}

/** Undefined if the request names neither a revision nor a page. */
function revisionOf(name: Name, values: CompareValues, call: ActionCall): RevisionRow | undefined {
  const { store } = call.context
  const [revisionId, pageId, given] = [values[`${name}rev`], values[`${name}id`], values[`${name}title`]]
  if (revisionId !== undefined) {
    const revision = store.getRevision(revisionId)
    if (revision !== undefined && store.getPageById(revision.pageId) !== undefined) return revision
    throw new ActionError('nosuchrevid', `There is no revision with ID ${revisionId}.`)
  }
  if (pageId !== undefined) {
    const page = store.getPageById(pageId)
    const latest = page && store.getRevision(page.latestId)
    if (latest !== undefined) return latest
    throw noSuchPage(pageId)
  }
  return given === undefined ? undefined : latestOf(given, call)
}

function latestOf(given: string, { wiki, context }: ActionCall): RevisionRow {
  const parsed = parseTitle(given, wiki.namespaces)
  if (!parsed.ok) throw invalidTitle(given)
  const { title: of } = parsed
  const page = context.store.getPage(of.namespace, of.dbkey)
  const latest = page && context.store.getRevision(page.latestId)
  if (latest !== undefined) return latest
  const name = shown(prefixedText(of, wiki.namespaces))
  throw new ActionError('missingtitle', `The page ${name} doesn't exist.`)
}

function relativeSides(
  given: Side,
  relative: 'cur' | 'next' | 'prev',
  call: ActionCall,
): { from: Side | undefined; to: Side | undefined } {
  const { revision, title: page } = given
  if (revision === undefined || page === undefined)
    throw new ActionError(
      'compare-relative-to-nothing',
      'No "from" revision for "torelative" to be relative to.',
    )
  const found = relative === 'cur' ? latestRevision(revision, call) : neighbour(revision, relative, call)
  if (found === undefined) {
    const name = prefixedText(page, call.wiki.namespaces)
    const place = relative === 'prev' ? 'earliest' : 'latest'
    const info = `Revision ${revision.id} is the ${place} revision of ${name}, there is no revision for "torelative=${relative}" to compare to.`
    call.warnings.add('compare', `compare-no-${relative}`, info)
  } else requireText(found)
  const other = found && { ...given, revision: found, text: { revisionId: found.id } }
  return relative === 'prev' ? { from: other, to: given } : { from: given, to: other }
}

const latestRevision = ({ pageId }: RevisionRow, { context }: ActionCall): RevisionRow | undefined =>
  context.store.getRevision(context.store.getPageById(pageId)?.latestId ?? 0)

function neighbour(
  revision: RevisionRow,
  place: 'next' | 'prev',
  { context }: ActionCall,
): RevisionRow | undefined {
  const anchor = place === 'prev' ? { olderThan: revision } : { newerThan: revision }
  return context.store.lists.history(revision.pageId, { ...anchor, limit: 1 }).rows[0]
}

function sideFields(
  name: Name,
  of: Side | undefined,
  wants: (name: string) => boolean,
  call: ActionCall,
): Fields {
  if (of === undefined) return {}
  const { revision, title: page, pageId } = of
  const place = page && titleFields(page, call.wiki.namespaces)
  const fields: Fields = {
    ...(wants('ids') && { id: pageId, revid: revision?.id }),
    ...(wants('title') && place && { ns: place['ns'], title: place['title'] }),
    ...(revision && revisionFields(revision, page, wants, call)),
  }
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [name + key, value]))
}

function revisionFields(
  revision: RevisionRow,
  page: Title | undefined,
  wants: (name: string) => boolean,
  call: ActionCall,
): Fields {
  const { comment, user } = shownOf(revision)
  const { anon: _, ...editor } = userFields(user, { user: wants('user'), userid: wants('user') })
  const isParsed = wants('comment') || wants('parsedcomment')
  return {
    ...(wants('size') && { size: revision.sizeBytes ?? 0 }),
    ...(wants('timestamp') && { timestamp: formatTimestamp(revision.timestamp) }),
    ...editor,
    ...(isParsed && comment === undefined && { commenthidden: true }),
    ...(wants('comment') && comment !== undefined && { comment }),
    ...(isParsed && comment !== undefined && { parsedcomment: parsedComment(comment, page, call) }),
  }
}

/** The revisions before the first and after the second one. */
function relativeFields(from: Side | undefined, to: Side | undefined, call: ActionCall): Fields {
  return {
    prev: from?.revision && neighbour(from.revision, 'prev', call)?.id,
    next: to?.revision && neighbour(to.revision, 'next', call)?.id,
  }
}

/** The rows, kept as other comparisons are. Empty if there is no second text. */
async function tableOf(
  from: Side | undefined,
  to: Side | undefined,
  rows: 'table' | 'inline',
  { context }: ActionCall,
): Promise<Uint8Array> {
  if (to === undefined) return new Uint8Array()
  const texts = { from: from?.text ?? { text: '' }, to: to.text }
  const key =
    'revisionId' in texts.from && 'revisionId' in texts.to
      ? `${rows} rows ${texts.from.revisionId}:${texts.to.revisionId}`
      : undefined
  const ready = key === undefined ? undefined : context.comparisons.get(key)
  if (ready !== undefined) return ready
  const made = await context.pool.run('comparisonTable', { ...texts, path: '', rows })
  if (made === undefined) throw new ActionError('missingcontent', 'Missing content for a revision.')
  if (key !== undefined) context.comparisons.set(key, made)
  return made
}
