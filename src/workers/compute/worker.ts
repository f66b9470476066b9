/**
 * A compute thread. It opens the stores of the wikis for itself and runs the tasks of tasks.ts. Each task is an export
 * with its name.
 */
import { parentPort, threadId } from 'node:worker_threads'
import { move, workerData } from 'piscina'
import { compareJson } from '../../diff/compare.js'
import { isTooDifferent, TOO_DIFFERENT } from '../../diff/itemTable.js'
import { merge3 } from '../../diff/merge3.js'
import { sections } from '../../diff/sections.js'
import { prepare, type ThreadWork } from '../../edit/preparation.js'
import { FileUrls } from '../../files/fileUrls.js'
import { searchThumbnail } from '../../files/searchThumbnail.js'
import { LIGHT_TOKENS } from '../../reader/assets/tokens.js'
import { bodyFacts as factsOfBody } from '../../reader/bodyFacts.js'
import { extractOf, leadOf } from '../../reader/extract.js'
import { markdownOf } from '../../reader/markdown/markdown.js'
import { mediaItems as readMediaItems } from '../../reader/mediaItems.js'
import { Links } from '../../reader/links.js'
import { plainBody } from '../../reader/plainBody.js'
import { IDS_PER_SITEMAP, sitemap as writeSitemap, sitemapIndex } from '../../reader/sitemap.js'
import { mediaLinks } from '../../wikitext/mediaLinks.js'
import type { ModuleGuard } from '../../render/lua/thread.js'
import { wikiSheet as cleanSheets } from '../../render/tags/wikiSheet.js'
import { readHtml } from '../../render/variants/readHtml.js'
import { readMarked as readTexts } from '../../render/variants/readMarked.js'
import { readPage } from '../../render/variants/readPage.js'
import { VariantReading } from '../../render/variants/reading.js'
import { titlesInVariants as otherTitles } from '../../render/variants/titles.js'
import { packInParts, unpackParts } from '../../storage/html/packedHtml.js'
import type { PictureOf } from '../../storage/search/searchIndex.js'
import { Store } from '../../storage/store.js'
import { expandedPage } from '../html/expandedPage.js'
import { compress as compressBytes } from './compress.js'
import { readFormFields, readJsonFields } from './readFields.js'
import { openLua } from '../html/luaThread.js'
import { ModuleBlocks, moduleGuard, RunningModule } from '../html/moduleBlocks.js'
import { PageExpander } from '../html/pageExpander.js'
import { matchSections as sectionsOfMatches } from './matchSections.js'
import * as reader from './readerTexts.js'
import { SearchWarmUp } from './searchWarmUp.js'
import { thaiBreakers } from './thaiDictionaryFile.js'
import { renderedFiles } from '../html/renderSource.js'
import type {
  ComputeStart,
  Failed,
  PooledSearch,
  RevisionPair,
  TaskInput,
  TaskOutput,
  ThreadInput,
  ThreadStarted,
} from './tasks.js'
import { OpenWikis } from '../hosting/openWikis.js'
import type { RenderSettings, RenderWiki } from '../html/renderTasks.js'
import { letEventLoopGoFirst } from '../hosting/systemThreads.js'
import { prefixedKey } from '../../domain/title.js'
import type { LuaRuntime } from '../../render/lua/runtime.js'
import type { PageFacts } from '../../render/preprocessor/source.js'

// Piscina tries `require` before `import()`. Node 20 ends the whole process if a thread is ended in the moment in which
// `require` makes a module of it. A file that waits cannot be required, so it is imported.
await Promise.resolve()

letEventLoopGoFirst()

/** A wiki that this thread has open. */
interface OpenWiki extends Pick<RenderWiki, 'renderSettings'> {
  /** The generation of the store at the last task. */
  generation: number
  readonly store: Store
  readonly expander: PageExpander
  readonly threadWork: ThreadWork
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const { wikis, thaiDictionary, moduleBlocks } = workerData as ComputeStart
const thaiBreaker = thaiBreakers(() => thaiDictionary)
/** Tells the pool which module the present task runs. */
let running: RunningModule | undefined
const guard: ModuleGuard = {
  ...moduleGuard(new ModuleBlocks(moduleBlocks), {
    set: (call) => running?.set(call),
    clear: () => running?.clear(),
  }),
  // Tasks have less time than renderings, for which such a module may still be fast enough.
  ranOutOfTime: () => undefined,
}
/** Its settings are the same for all wikis of a server. */
const lua = openLua(wikis[0]!.renderSettings, { guard })
const openWikis = new OpenWikis(wikis, openWiki)
parentPort?.postMessage({ started: threadId } satisfies ThreadStarted)

function openWiki({ dataDir, renderSettings }: RenderWiki): OpenWiki {
  const store = Store.open(dataDir)
  const expander = new PageExpander(store, renderedFiles(renderSettings), lua)
  const threadWork = { substitute: substituteWith(store, expander), checkModule: checkWith(store, lua) }
  store.release()
  return { generation: Number.NaN, renderSettings, store, expander, threadWork }
}

/**
 * Runs a task with the store and the site settings in their newest state: it must see everything that its requester has
 * seen. Releases the snapshot afterwards, since an idle thread of Piscina sleeps in a call. So lmdb's own timer could
 * not release it, and the pages of the snapshot would stay in use.
 */
function withStore<Result>(wiki: number, task: (store: Store, opened: OpenWiki) => Result): Result {
  const opened = openWikis.get(wiki)
  const { store } = opened
  const generation = store.refresh()
  try {
    // All that changes the settings raises the generation. To read and compare them takes some 20 µs.
    if (generation !== opened.generation) store.reloadSite()
    opened.generation = generation
    return task(store, opened)
  } finally {
    store.release()
  }
}

export function jsonFields({ bytes, paths }: TaskInput<'jsonFields'>): TaskOutput<'jsonFields'> {
  return readJsonFields(bytes, paths)
}

export function prepareEdit({
  wiki,
  runningModule,
  ...preparation
}: ThreadInput<'prepareEdit'>): TaskOutput<'prepareEdit'> {
  running = new RunningModule(runningModule)
  return withStore(wiki, (store, { threadWork }) => prepare(store, preparation, threadWork))
}

export function formFields({
  bytes,
  contentType,
  names,
}: TaskInput<'formFields'>): Promise<TaskOutput<'formFields'>> {
  return readFormFields(bytes, contentType, { names })
}

export function htmlAsJson({ parts }: TaskInput<'htmlAsJson'>): TaskOutput<'htmlAsJson'> {
  return toJson(unpackParts(parts).toString())
}

export function bodyFacts({ wiki, body, of, wikiPath }: ThreadInput<'bodyFacts'>): TaskOutput<'bodyFacts'> {
  if (body === 'json') {
    const table = withStore(wiki, (store) => reader.jsonTableOf(store, of))
    return { html: table, facts: factsOfBody(table), offsets: [] }
  }
  const bytes = 'html' in body ? Buffer.from(body.html) : unpackParts(body.parts)
  const html = withoutVariants(bytes.toString(), wiki)
  const offsets = withStore(wiki, (store) => reader.headingOffsets(store, of))
  return { html: plainBody(html, wikiPath), facts: factsOfBody(html), offsets }
}

export function lead({ wiki, parts, templates }: ThreadInput<'lead'>): TaskOutput<'lead'> {
  return leadOf(withoutVariants(unpackParts(parts).toString(), wiki), templates)
}

export function mediaItems({ parts }: TaskInput<'mediaItems'>): TaskOutput<'mediaItems'> {
  return readMediaItems(unpackParts(parts).toString())
}

export function extract({ wiki, parts, options }: ThreadInput<'extract'>): TaskOutput<'extract'> {
  return encoder.encode(extractOf(withoutVariants(unpackParts(parts).toString(), wiki), options))
}

export function markdown({ wiki, parts, options }: ThreadInput<'markdown'>): TaskOutput<'markdown'> {
  const page = markdownOf(withoutVariants(unpackParts(parts).toString(), wiki), options)
  return { ...page, text: page.text === undefined ? undefined : encoder.encode(page.text) }
}

/** HTML with the texts that markup of language variants shows to readers who choose none. */
function withoutVariants(html: string, wiki: number): string {
  if (!html.includes('mw:LanguageVariant')) return html
  const language = withStore(wiki, (store) => store.site().language)
  return readHtml(html, new VariantReading(language, language))
}

export function readVariant({ parts, page }: TaskInput<'readVariant'>): TaskOutput<'readVariant'> {
  const { html, ...shown } = readPage(unpackParts(parts).toString(), page)
  return { ...shown, packedHtml: packInParts(Buffer.from(html), []) }
}

export function readMarked({ texts, ...of }: TaskInput<'readMarked'>): TaskOutput<'readMarked'> {
  const strings = texts.map((text) => (typeof text === 'string' ? text : decoder.decode(text)))
  return readTexts({ ...of, texts: strings }).map((text, n) =>
    typeof texts[n] === 'string' ? text : encoder.encode(text),
  )
}

export const titlesInVariants = ({
  titles,
  language,
}: TaskInput<'titlesInVariants'>): TaskOutput<'titlesInVariants'> =>
  titles.map((title) => otherTitles(title, language))

/** Copies the bytes of zlib to move them: since Node 24 they may be part of the pool of Buffers, which cannot move. */
export function compress({ bytes, coding }: TaskInput<'compress'>): TaskOutput<'compress'> {
  return move(new Uint8Array(compressBytes(bytes, coding))) as Uint8Array
}

export function revisionSource({
  wiki,
  revisionId,
}: ThreadInput<'revisionSource'>): TaskOutput<'revisionSource'> {
  const text = withStore(wiki, (store) => store.getText(revisionId))
  return text === undefined ? undefined : toJson(text)
}

export function compare({ wiki, pairs }: ThreadInput<'compare'>): TaskOutput<'compare'> {
  return withStore(wiki, (store) => pairs.map((pair) => attempt(() => comparison(store, pair))))
}

function comparison(store: Store, { from, to }: RevisionPair): Uint8Array | undefined {
  const [fromText, toText] = store.getTexts(from, to)
  if (fromText === undefined || toText === undefined) return undefined
  const side = (id: number, text: string) =>
    JSON.stringify({ id, slot_role: 'main', sections: sections(text) })
  const head = `{"from":${side(from, fromText)},"to":${side(to, toText)},"diff": `
  return withComparison(head, fromText, toText)
}

/** The answer to one job of a task. If it fails, the other jobs go on. */
function attempt<Answer>(answer: () => Answer): Answer | Failed {
  try {
    return answer()
  } catch (error) {
    if (isTooDifferent(error)) return { failure: TOO_DIFFERENT, isTooLong: true }
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

export function textBytes({ wiki, of, form }: ThreadInput<'textBytes'>): TaskOutput<'textBytes'> {
  return moved(withStore(wiki, (store) => reader.textBytes(store, of, form)))
}

export function wikiSheet({ wiki, revisionIds }: ThreadInput<'wikiSheet'>): TaskOutput<'wikiSheet'> {
  const texts = withStore(wiki, (store) => revisionIds.map((id) => store.getText(id) ?? ''))
  return new TextEncoder().encode(cleanSheets(texts, LIGHT_TOKENS))
}

export function sectionText({ wiki, of, section }: ThreadInput<'sectionText'>): TaskOutput<'sectionText'> {
  return withStore(wiki, (store) => reader.sectionText(store, of, section))
}

export function treeXml({ wiki, of }: ThreadInput<'treeXml'>): TaskOutput<'treeXml'> {
  return withStore(wiki, (store) => reader.wikitextTree(store, of))
}

export function matchSections({ wiki, matches }: ThreadInput<'matchSections'>): TaskOutput<'matchSections'> {
  return withStore(wiki, (store) => sectionsOfMatches(store, matches))
}

export function withSection({ wiki, of, ...change }: ThreadInput<'withSection'>): TaskOutput<'withSection'> {
  return withStore(wiki, (store) => reader.withSection(store, of, change))
}

export function comparisonTable({
  wiki,
  ...input
}: ThreadInput<'comparisonTable'>): TaskOutput<'comparisonTable'> {
  return moved(
    withStore(wiki, (store) => reader.comparisonTable(store, input, { thaiBreaker: thaiBreaker() })),
  )
}

/** Bytes that own their memory, to be moved to the other thread rather than copied. */
const moved = (bytes: Uint8Array | undefined): Uint8Array | undefined => bytes && (move(bytes) as Uint8Array)

export function mergeEdit({
  wiki,
  baseId,
  currentId,
  mine,
  mayMerge,
}: ThreadInput<'mergeEdit'>): TaskOutput<'mergeEdit'> {
  const [base, current] = withStore(wiki, (store) => store.getTexts(baseId, currentId))
  if (base === undefined || current === undefined) return undefined
  const merge = mayMerge ? merge3(mine, base, current) : undefined
  if (merge?.clean) return merge
  const changes = (to: string): Uint8Array => withComparison('{"diff":', base, to)
  return { clean: false, local: changes(mine), remote: changes(current) }
}

/**
 * A JSON object whose last value is the comparison. `head` is the text before that value. The bytes own their memory.
 */
function withComparison(head: string, from: string, to: string): Uint8Array {
  return encoder.encode(`${head}${compareJson(from, to, { thaiBreaker: thaiBreaker() })}}`)
}

export function searchPages({ wiki, searches }: ThreadInput<'searchPages'>): TaskOutput<'searchPages'> {
  return withStore(wiki, (store, { renderSettings }) => {
    store.coldReads.look(performance.now(), process.resourceUsage().majorPageFault)
    return searches.map((search) => attempt(() => answerSearch(store, search, renderSettings)))
  })
}

const warmUp = new SearchWarmUp()

export function warmSearches({ wiki, ms }: ThreadInput<'warmSearches'>): TaskOutput<'warmSearches'> {
  return withStore(wiki, (store) => warmUp.run(store.search, ms))
}

function answerSearch(
  store: Store,
  { baseUrl, ...request }: PooledSearch,
  renderSettings: RenderSettings,
): Uint8Array {
  const view = { urls: new FileUrls(renderSettings, baseUrl) }
  const query = store.search.parse(request)
  const { limit, offset } = request
  const pictureOf: PictureOf = (dbkey, facts) => searchThumbnail(dbkey, facts, view)
  return store.search.answer(query, limit, undefined, pictureOf, offset)
}

export function expandedLinks({
  wiki,
  pageId,
  maxFiles,
  now,
  runningModule,
}: ThreadInput<'expandedLinks'>): TaskOutput<'expandedLinks'> {
  running = new RunningModule(runningModule)
  return withStore(wiki, (store, { expander }) => {
    const { wikitext, ...basis } = expandedPage(store, expander, pageId, now)
    return {
      ...basis,
      generation: store.generation(),
      // A copy: the message would have all memory behind the bytes.
      languages: new Uint8Array(store.links.languagesJsonIn(wikitext)),
      files: mediaLinks(wikitext, store.namespaces(), maxFiles),
    }
  })
}

export const countTitles = ({ wiki, namespace }: ThreadInput<'countTitles'>): TaskOutput<'countTitles'> =>
  withStore(wiki, (store) => store.countTitles(namespace))

export function sitemap({ wiki, number, origin, root }: ThreadInput<'sitemap'>): TaskOutput<'sitemap'> {
  const place = { origin, links: new Links(root) }
  const xml = withStore(wiki, (store) => {
    if (number === undefined) return sitemapIndex(store.rangesWithPages(IDS_PER_SITEMAP), place)
    const from = 1 + (number - 1) * IDS_PER_SITEMAP
    const pages = store.listedPages(from, from + IDS_PER_SITEMAP)
    return writeSitemap(
      pages.map(({ dbkey, time }) => ({ key: dbkey, time })),
      place,
    )
  })
  return encoder.encode(xml)
}

export const filesWithContents = ({
  wiki,
  sha1,
  limit,
}: ThreadInput<'filesWithContents'>): TaskOutput<'filesWithContents'> =>
  withStore(wiki, (store) => store.filesWithContents(sha1, limit))

export const countRevisions = ({
  wiki,
  actorIds,
  cap,
}: ThreadInput<'countRevisions'>): TaskOutput<'countRevisions'> =>
  withStore(wiki, ({ changes }) => actorIds.map((actorId) => changes.countOf(actorId, cap)))

export function countEditorsBetween({
  wiki,
  a,
  b,
  cap,
}: ThreadInput<'countEditorsBetween'>): TaskOutput<'countEditorsBetween'> {
  const count = withStore(wiki, (store) => store.countEditorsBetween(a, b, cap, Number.POSITIVE_INFINITY))
  if (count === undefined) throw new Error('a count without a limit of rows was not finished')
  return count
}

const toJson = (value: unknown): Uint8Array => movable(JSON.stringify(value))

/**
 * A text as bytes, which are moved to the other thread rather than copied. An encoder's bytes own their memory; small
 * Buffers share a pool.
 */
function movable(text: string): Uint8Array {
  return move(encoder.encode(text)) as Uint8Array
}

// Steps of an edit that only threads do: they have Lua and the template preprocessor.

/** Compiles modules under the name that Lua uses in messages. Without `lua`, nothing is checked. */
function checkWith(
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
function substituteWith(store: Pick<Store, 'getPage'>, expander: PageExpander): ThreadWork['substitute'] {
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
