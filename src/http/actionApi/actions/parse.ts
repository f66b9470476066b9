/** `action=parse`: the HTML of a page, a revision or a text, and what it names. */
import { defaultContentModel, KNOWN_CONTENT_MODELS } from '../../../domain/contentModel.js'
import { escapeHtml } from '../../../domain/html.js'
import { decodePercent } from '../../../domain/percent.js'
import { CATEGORY, FILE, SPECIAL } from '../../../domain/namespaceIds.js'
import { parseTitle, prefixedKey, prefixedText, type Title } from '../../../domain/title.js'
import type { BodyFacts } from '../../../reader/bodyFacts.js'
import type { RevisionRow } from '../../../storage/store.js'
import type { TaskInput } from '../../../workers/compute/tasks.js'
import { savedText } from '../../../wiki/saving.js'
import { addressKey } from '../../../auth/rateLimit.js'
import { htmlError, requireRenderings } from '../../views/html.js'
import { addressesOf, foreignUrl } from '../addresses.js'
import { categoriesHtml, headHtml } from './parseFrame.js'
import { type ActionCall, defineAction } from '../frame/call.js'
import { choice, choicesOr, deprecated, flag, integer, text, type Values } from '../frame/declaration.js'
import { ActionError, invalidTitle, noSuchPage, requireAtMostOneOf } from '../frame/problems.js'
import { type Fields, Mapped, named, Table, Wrapped } from '../frame/values.js'
import { NamedPages } from '../pageSet/namedPages.js'
import { titleFields } from '../pageSet/pageSet.js'
import { displayTitleOf, isHiddenCategory, propertiesOf } from '../pageProperties.js'
import { parseTreeOf } from '../parseTree.js'
import { renderedPage } from '../renderedPage.js'
import { parsedComment, sectionText } from '../revisionFields.js'

const PROPERTIES =
  'text langlinks categories categorieshtml links templates images externallinks sections revid displaytitle subtitle headhtml modules jsconfigvars encodedjsconfigvars indicators iwlinks wikitext properties limitreportdata limitreporthtml parsetree parsewarnings parsewarningshtml headitems'.split(
    ' ',
  )
const DEFAULTS =
  'text langlinks categories links templates images externallinks sections revid displaytitle iwlinks properties parsewarnings'.split(
    ' ',
  )
/** Answered with nothing: this server has no scripts, warnings and reports. */
const EMPTY: Readonly<Record<string, unknown>> = {
  subtitle: '',
  jsconfigvars: new Table({}),
  encodedjsconfigvars: new Wrapped('[]'),
  indicators: new Table({}),
  limitreportdata: [],
  limitreporthtml: new Wrapped(''),
  parsewarnings: [],
  parsewarningshtml: [],
  headitems: [],
}

const parameters = {
  title: text('title of the page that `text` belongs to'),
  text: text('wikitext'),
  revid: integer('without effect'),
  summary: text('a summary to show as HTML'),
  page: text('the page'),
  pageid: integer('its id'),
  redirects: flag('follow redirects'),
  oldid: integer('the revision'),
  prop: choicesOr(DEFAULTS, PROPERTIES, 'what to tell'),
  wrapoutputclass: text('class of the element around the text'),
  parsoid: flag('without effect: all HTML is Parsoid’s'),
  pst: flag('transform `text` as a save does'),
  onlypst: flag('only the text that a save would store, unparsed'),
  effectivelanglinks: deprecated(flag('without effect')),
  section: text('only this section'),
  sectiontitle: text('without effect'),
  disablelimitreport: flag('without effect'),
  disablepp: deprecated(flag('without effect')),
  disableeditsection: flag('without effect'),
  disablestylededuplication: flag('without effect'),
  showstrategykeys: flag('without effect'),
  generatexml: deprecated(flag('also tell `parsetree`')),
  preview: flag('without effect'),
  sectionpreview: flag('without effect'),
  disabletoc: flag('without effect'),
  useskin: choice(
    ['vector', 'vector-2022', 'minerva', 'monobook', 'timeless', 'apioutput', 'fallback'],
    'without effect',
  ),
  contentformat: text('without effect'),
  contentmodel: choice(KNOWN_CONTENT_MODELS, 'of `text`'),
}
type ParseValues = Values<typeof parameters>

export const parse = defineAction({
  name: 'parse',
  summary: 'The HTML of a page or a text, and what it names',
  parameters,
  async run(call, values) {
    const { text: given, title, page, pageid, oldid, summary } = values
    requireAtMostOneOf({ page, pageid, oldid })
    requireAtMostOneOf({ text: given, page })
    requireAtMostOneOf({ text: given, pageid })
    requireAtMostOneOf({ title, page })
    if (values.onlypst && given !== undefined)
      return { parse: { text: new Wrapped(await savedForm(given, textTitle(call, values), call, values)) } }
    const hasPage = page !== undefined || pageid !== undefined || oldid !== undefined
    if (values.section === 'new' && hasPage)
      throw new ActionError(
        'invalidparammix',
        '"section=new" cannot be combined with the "oldid", "pageid" or "page" parameters. Please use "title" and "text".',
      )
    const parsed = hasPage ? await storedPage(call, values) : await givenText(call, values)
    const comment =
      summary === undefined ? {} : { parsedsummary: new Wrapped(parsedComment(summary, parsed.title, call)) }
    return { parse: { ...(await shown(parsed, call, values)), ...comment } }
  },
})

/** What is to be shown, before its HTML is made. */
interface Parsed {
  readonly title: Title
  readonly pageId: number
  /** Undefined for a text of the request. */
  readonly revision: RevisionRow | undefined
  readonly redirects: Fields
  readonly wikitext: () => Promise<string>
  /** The text as a save would store it, if the client asks for it. */
  readonly saved?: string
  readonly body: () => Promise<Body>
}

interface Body {
  readonly html: string
  readonly facts: BodyFacts
  /** Offsets of the headings of the wikitext, in bytes. */
  readonly offsets: readonly number[]
}

async function storedPage(call: ActionCall, values: ParseValues): Promise<Parsed> {
  const { revision, title, redirects } = revisionOf(call, values)
  if (revision.textHidden)
    throw new ActionError(
      'permissiondenied',
      "You don't have permission to view deleted text or changes between deleted revisions.",
    )
  const { section } = values
  const { store } = call.context
  const part = async (): Promise<string> =>
    (await sectionText(revision.id, section ?? '', call, (number) => noSection(number, title, call))) ?? ''
  const partText = section === undefined ? undefined : await part()
  return {
    title,
    pageId: revision.pageId,
    revision,
    redirects,
    wikitext: () => Promise.resolve(partText ?? store.getText(revision.id) ?? ''),
    body: async () => {
      if (partText !== undefined) return bodyOfText(partText, title, call)
      if (revision.contentModel === 'json') return bodyFrom('json', { revisionId: revision.id }, call)
      const { body } = await renderedPage(revision.id, call)
      return bodyFrom({ parts: body }, { revisionId: revision.id }, call)
    },
  }
}

const noSection = (number: string, title: Title, { wiki }: ActionCall): ActionError =>
  new ActionError(
    'nosuchsection',
    `There is no section ${number} in ${prefixedText(title, wiki.namespaces)}.`,
  )

function revisionOf(
  call: ActionCall,
  { oldid, pageid, page: given, redirects }: ParseValues,
): { revision: RevisionRow; title: Title; redirects: Fields } {
  const { store } = call.context
  if (oldid !== undefined) {
    const revision = store.getRevision(oldid)
    const page = revision && store.getPageById(revision.pageId)
    if (revision === undefined || page === undefined)
      throw new ActionError('nosuchrevid', `There is no revision with ID ${oldid}.`)
    return { revision, title: page, redirects: {} }
  }
  const named = new NamedPages(call, { followsRedirects: redirects, iwurl: false })
  if (pageid !== undefined) named.addPageIds([pageid])
  else named.addTitles([given ?? ''])
  const pages = named.finish(true)
  const [entry] = pages.entries
  const shownRedirects = redirects ? { redirects: pages.fields['redirects'] ?? [] } : {}
  if (entry?.page !== undefined && entry.title !== undefined) {
    const revision = store.getRevision(entry.page.latestId)
    if (revision !== undefined) return { revision, title: entry.title, redirects: shownRedirects }
  }
  if (pageid !== undefined) throw noSuchPage(pageid)
  const [away] = (pages.fields['interwiki'] ?? []) as { title: string }[]
  if (entry === undefined || 'invalid' in entry.fields) throw invalidTitle(away?.title ?? given ?? '')
  if (entry.title?.namespace === SPECIAL)
    throw new ActionError('pagecannotexist', "Namespace doesn't allow actual pages.")
  throw new ActionError('missingtitle', "The page you specified doesn't exist.")
}

/** The page that a text is for. */
function textTitle(
  call: ActionCall,
  { title: given, text: wikitext, contentmodel }: Pick<ParseValues, 'title' | 'text' | 'contentmodel'>,
): Title {
  const parsed = parseTitle(given ?? 'API', call.wiki.namespaces)
  if (!parsed.ok) throw invalidTitle(given ?? '')
  if (wikitext !== undefined && given === undefined && contentmodel === undefined)
    call.warnings.add(
      'parse',
      'assuming-wikitext',
      'No "title" or "contentmodel" was given, assuming wikitext.',
    )
  return parsed.title
}

/** A text as the client's edit would store it: substituted and signed. The answer is for this client alone. */
function savedForm(
  source: string,
  title: Title,
  { context, identity, reuse }: ActionCall,
  { contentmodel: contentModel }: ParseValues,
): Promise<string> {
  reuse.isPersonal = true
  return savedText(context, { title, source, contentModel, identity })
}

async function givenText(call: ActionCall, values: ParseValues): Promise<Parsed> {
  const { title: given, text: wikitext, prop, pst } = values
  const title = textTitle(call, values)
  if (wikitext === undefined && given !== undefined && prop.length > 0)
    call.warnings.add(
      'parse',
      'title-without-text',
      '"title" used without "text", and parsed page properties were requested. Did you mean to use "page" instead of "title"?',
    )
  const row = call.context.store.getPage(title.namespace, title.dbkey)
  const pageId = row?.pageId ?? 0
  const saved = pst ? await savedForm(wikitext ?? '', title, call, values) : undefined
  return {
    title,
    pageId,
    revision: undefined,
    redirects: {},
    wikitext: () => Promise.resolve(wikitext ?? ''),
    ...(saved !== undefined && { saved }),
    body: () => {
      const text = saved ?? wikitext ?? ''
      return isJson(title, values) ? bodyFrom('json', { text }, call) : bodyOfText(text, title, call)
    },
  }
}

const isJson = ({ namespace, dbkey }: Title, { contentmodel }: ParseValues): boolean =>
  (contentmodel ?? defaultContentModel(namespace, dbkey)) === 'json'

/** Text of a client: the render pool's bounds for conversions hold. */
async function bodyOfText(wikitext: string, title: Title, call: ActionCall): Promise<Body> {
  const name = prefixedText(title, call.wiki.namespaces)
  const conversion = { task: 'toHtml', wikitext, title: name, bodyOnly: true } as const
  try {
    const html = await requireRenderings(call.context).convert(conversion, addressKey(call.client))
    return await bodyFrom({ html }, { text: wikitext }, call)
  } catch (error) {
    throw htmlError(error, 0, true)
  }
}

type BodyInput = TaskInput<'bodyFacts'>

const bodyFrom = (body: BodyInput['body'], of: BodyInput['of'], call: ActionCall): Promise<Body> =>
  call.context.pool.run('bodyFacts', { body, of, wikiPath: addressesOf(call).links.wiki })

const NEEDS_BODY = [
  'text',
  'categorieshtml',
  'langlinks',
  'iwlinks',
  'templates',
  'links',
  'categories',
  'images',
  'externallinks',
  'sections',
]

async function shown(parsed: Parsed, call: ActionCall, values: ParseValues): Promise<Fields> {
  const { prop, wrapoutputclass = 'mw-parser-output' } = values
  const { title, pageId, revision, redirects, saved } = parsed
  const wants = (name: string): boolean => prop.includes(name)
  warnOfModules(wants, call)
  const body = NEEDS_BODY.some(wants) ? await parsed.body() : undefined
  const empty = Object.entries(EMPTY).filter(([name]) => wants(name))
  return {
    title: prefixedText(title, call.wiki.namespaces),
    pageid: pageId,
    ...redirects,
    ...Object.fromEntries(empty),
    ...(wants('headhtml') && { headhtml: new Wrapped(headHtml(title, pageId, call)) }),
    ...(wants('revid') && revision && { revid: revision.id }),
    ...(wants('modules') && { modules: ['site'], modulescripts: [], modulestyles: ['site.styles'] }),
    ...(wants('displaytitle') && { displaytitle: displayTitle(parsed, call) }),
    ...(wants('properties') && { properties: properties(parsed, call) }),
    ...(wants('wikitext') && { wikitext: new Wrapped(await parsed.wikitext()) }),
    ...(wants('wikitext') && saved !== undefined && { psttext: new Wrapped(saved) }),
    ...((wants('parsetree') || values.generatexml) && { parsetree: await treeOf(parsed, values, call) }),
    ...(body && bodyFields(body, title, wants, wrapoutputclass, call)),
  }
}

/** Throws a notwikitext. */
async function treeOf(parsed: Parsed, values: ParseValues, call: ActionCall): Promise<Wrapped> {
  const { title, revision } = parsed
  const model =
    revision?.contentModel ?? values.contentmodel ?? defaultContentModel(title.namespace, title.dbkey)
  if (model !== 'wikitext')
    throw new ActionError('notwikitext', '"prop=parsetree" is only supported for wikitext content.')
  return new Wrapped(await parseTreeOf({ text: parsed.saved ?? (await parsed.wikitext()) }, call))
}

function warnOfModules(wants: (name: string) => boolean, { warnings }: ActionCall): void {
  if (wants('headitems'))
    warnings.deprecation(
      'parse',
      '"prop=headitems" is deprecated since MediaWiki 1.28. Use "prop=headhtml" when creating new HTML documents, or "prop=modules|jsconfigvars" when updating a document client-side.',
    )
  if (!wants('modules') || wants('jsconfigvars') || wants('encodedjsconfigvars')) return
  warnings.add(
    'parse',
    'notsuggested',
    'Property "modules" was set but not "jsconfigvars" or "encodedjsconfigvars". Configuration variables are necessary for proper module usage.',
  )
}

function displayTitle({ title, revision }: Parsed, { context, wiki }: ActionCall): string {
  const page = revision && context.store.getPageById(revision.pageId)
  const name = escapeHtml(prefixedText(title, wiki.namespaces))
  return displayTitleOf(page, context.store) ?? `<span class="mw-page-title-main">${name}</span>`
}

function properties({ revision }: Parsed, { context }: ActionCall): Mapped {
  const page = revision && context.store.getPageById(revision.pageId)
  // The store knows those of the latest text alone.
  const isLatest = page !== undefined && page.latestId === revision?.id
  return new Mapped('name', isLatest ? [...propertiesOf(page, context.store)] : [])
}

function bodyFields(
  { html, facts, offsets }: Body,
  title: Title,
  wants: (name: string) => boolean,
  wrapper: string,
  call: ActionCall,
): Fields {
  const { namespaces } = call.wiki
  const classes = wrapper.replace(/[^\w -]/g, '')
  const titles = facts.links.flatMap((key) => {
    const parsed = parseTitle(key, namespaces)
    return parsed.ok && parsed.title.namespace >= 0 ? [parsed.title] : []
  })
  const links = titles.filter(({ namespace }) => namespace !== FILE && namespace !== CATEGORY)
  return {
    ...(wants('text') && {
      text: new Wrapped(classes === '' ? html : `<div class="${classes}">${html}</div>`),
    }),
    ...(wants('links') && { links: links.map((link) => linkFields(link, call)) }),
    ...(wants('categories') && {
      categories: facts.categories.flatMap((each) => categoryFields(each, call)),
    }),
    ...(wants('categorieshtml') && { categorieshtml: new Wrapped(categoriesHtml(facts, call)) }),
    ...(wants('images') && {
      images: facts.files.flatMap((key) => {
        const parsed = parseTitle(key, namespaces)
        return parsed.ok && parsed.title.namespace === FILE ? [parsed.title.dbkey] : []
      }),
    }),
    ...(wants('externallinks') && { externallinks: facts.external }),
    ...(wants('langlinks') && { langlinks: facts.languages.flatMap((url) => languageFields(url, call)) }),
    ...(wants('iwlinks') && {
      iwlinks: facts.interwiki.map(({ title: target, url }) =>
        named('title', { prefix: target.replace(/:.*$/s, ''), url, title: target }),
      ),
    }),
    ...(wants('templates') && {
      templates: facts.templates.flatMap((key) => {
        const parsed = parseTitle(key, namespaces)
        return parsed.ok ? [linkFields(parsed.title, call)] : []
      }),
    }),
    ...(wants('sections') && {
      sections: sectionList(facts.headings, offsets, prefixedKey(title, namespaces)),
      showtoc: facts.headings.length > 3,
    }),
  }
}

/** A language link by its URL; none if no prefix of the map makes such URLs. */
function languageFields(url: string, { context }: ActionCall): unknown[] {
  for (const { prefix, url: pattern, language } of context.store.interwiki().values()) {
    const [start = '', end = ''] = pattern.split('$1')
    if (language === undefined || !url.startsWith(start) || !url.endsWith(end)) continue
    const title = decodePercent(url.slice(start.length, url.length - end.length)).replaceAll('_', ' ')
    const stated = foreignUrl(pattern, title.replaceAll(' ', '_'))
    return [named('title', { lang: prefix, url: stated, langname: language, autonym: language, title })]
  }
  return []
}

function linkFields(link: Title, { wiki, context }: ActionCall): unknown {
  const { ns, title } = titleFields(link, wiki.namespaces)
  const exists = context.store.getPage(link.namespace, link.dbkey) !== undefined
  return named('title', { ns, title, exists })
}

function categoryFields(
  { key, sortKey }: BodyFacts['categories'][number],
  { wiki, context }: ActionCall,
): unknown[] {
  const parsed = parseTitle(key, wiki.namespaces)
  if (!parsed.ok || parsed.title.namespace !== CATEGORY) return []
  const { dbkey } = parsed.title
  const isMissing = context.store.getPage(CATEGORY, dbkey) === undefined
  const isHidden = isHiddenCategory(dbkey, context.store)
  const fields = {
    sortkey: sortKey,
    category: dbkey,
    ...(isMissing && { missing: true }),
    ...(isHidden && { hidden: true }),
  }
  return [named('category', fields)]
}

function sectionList(
  headings: BodyFacts['headings'],
  offsets: readonly number[],
  fromtitle: string,
): Fields[] {
  const levels: number[] = []
  const numbers: number[] = []
  return headings.map(({ level, id, line }, at) => {
    while (levels.length > 0 && levels.at(-1)! > level) levels.pop()
    if (levels.at(-1) !== level) levels.push(level)
    numbers.length = levels.length
    numbers[levels.length - 1] = (numbers[levels.length - 1] ?? 0) + 1
    return {
      toclevel: levels.length,
      level: String(level),
      line,
      number: numbers.map((number) => number ?? 1).join('.'),
      index: String(at + 1),
      fromtitle,
      byteoffset: offsets[at] ?? null,
      anchor: id,
    }
  })
}
