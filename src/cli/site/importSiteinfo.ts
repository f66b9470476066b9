/** `palimpsest site import`: takes over a wiki's own answer to `meta=siteinfo`. */
import { readFile, stat } from 'node:fs/promises'
import { type InterwikiChanges, interwikiMap, wholeInterwikiMap } from '../../domain/interwiki.js'
import { reindexReasons } from '../../domain/reindexReasons.js'
import { DEFAULT_SITE, type Site } from '../../domain/site.js'
import { UpstreamFault } from '../../follow/api/faults.js'
import { type Fields, fieldsOf, Unstorable } from '../../follow/api/fields.js'
import { type StatedSite, statedSite } from '../../follow/api/siteinfo.js'
import { describeSystemError, isSystemError } from '../../runtime/systemErrors.js'
import { WIKI_RULES_VERSION } from '../../storage/apply/entryKinds.js'
import type { Store } from '../../storage/store.js'
import { CommandError } from '../commandError.js'
import { printTable, type StorePlace, withStore } from '../storeAccess.js'
import { SITE_KEYS } from './siteKeys.js'

/** Wikis with many languages and extensions send half a million bytes. */
const MAX_FILE_BYTES = 8 * 2 ** 20
/** Letters of a value that the command prints. */
const SHOWN = 60

/** What a file says of the site. */
interface Answer {
  readonly site: Partial<Site>
  readonly interwiki?: InterwikiChanges
}

export async function importSiteinfo(place: StorePlace, file: string): Promise<void> {
  const query = await readQuery(file)
  await withStore(
    place,
    async (store, apply) => {
      const [before, prefixes] = [store.site(), prefixesOf(store)]
      const answer = answerFor(store, query, file)
      if (isKnown(store, answer)) {
        process.stdout.write('nothing has changed\n')
        return
      }
      const verdict = await apply({ kind: 'settings', ...answer })
      if (verdict.result === 'site-refused') throw new CommandError(`nothing is changed: ${verdict.reason}`)
      store.reloadSite()
      const changes = differences(before, store.site())
      printTable(changes)
      if (prefixes !== prefixesOf(store))
        process.stdout.write(`${store.interwiki().size} prefixes of other wikis\n`)
      process.stdout.write(adviceFor(store, before))
    },
    { create: true },
  )
}

/** True if all is as the answer says already: then it needs no entry. */
function isKnown(store: Store, { site, interwiki }: Answer): boolean {
  const now = store.site()
  const isNewSite =
    JSON.stringify({ ...now, ...site, namespaces: [] }) !== JSON.stringify({ ...now, namespaces: [] })
  const isKnownNamespace = (each: unknown): boolean =>
    now.namespaces.some((known) => JSON.stringify(known) === JSON.stringify(each))
  const map = interwiki === undefined ? undefined : interwikiMap(now, interwiki)
  const isNewMap = map !== undefined && JSON.stringify([...map]) !== prefixesOf(store)
  return !isNewSite && !isNewMap && (site.namespaces ?? []).every(isKnownNamespace)
}

const prefixesOf = (store: Store): string => JSON.stringify([...store.interwiki()])

async function readQuery(file: string): Promise<Fields> {
  const text = await readText(file).catch((cause: unknown) => {
    if (!isSystemError(cause)) throw cause
    throw new CommandError(describeSystemError(cause, file), { cause })
  })
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new CommandError(`${file} is not valid JSON`, { cause })
  }
  return reading(file, () => {
    const { query, error } = fieldsOf(parsed, 'a whole answer')
    if (error !== undefined) {
      const { code, info } = fieldsOf(error, 'error')
      throw new CommandError(
        `${file} has an error of the wiki in place of the answer: ${String(code)} ${String(info)}`,
      )
    }
    return fieldsOf(query, 'query')
  })
}

async function readText(file: string): Promise<string> {
  const { size } = await stat(file)
  if (size > MAX_FILE_BYTES)
    throw new CommandError(`${file} has ${size} bytes, more than an answer to meta=siteinfo`)
  return await readFile(file, 'utf8')
}

/** Turns faults of the answer into errors of the command. */
function reading<Result>(file: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof UpstreamFault || error instanceof Unstorable)) throw error
    throw new CommandError(
      `${file} is no answer to meta=siteinfo with general and namespaces: ${error.message}`,
      { cause: error },
    )
  }
}

/** The settings to write. Throws a CommandError for an odd answer, and for one of another wiki. */
function answerFor(store: Store, query: Fields, file: string): Answer {
  const place = store.mirror.place()
  if (place !== undefined)
    throw new CommandError(`the store follows ${place.url}, which tells its settings by itself`)
  requireRulesVersion(store)
  const { site, interwiki } = reading(file, () => answerOf(query, file))
  const { wikiId } = store.site()
  if (wikiId !== '' && site.wikiId !== wikiId)
    throw new CommandError(`the store holds the wiki "${wikiId}", but ${file} is of "${site.wikiId}"`)
  const { bots: _bots, license, ...stated } = site
  return {
    site: { ...stated, ...(query['rightsinfo'] !== undefined && { license }) },
    ...(query['interwikimap'] !== undefined && { interwiki: wholeInterwikiMap(interwiki) }),
  }
}

const answerOf = (query: Fields, file: string): StatedSite =>
  statedSite({ interwikimap: [], ...query }, { bots: DEFAULT_SITE.bots }, (what) => {
    throw new CommandError(`${file} has an odd part, and nothing is changed: ${what}`)
  })

/** Rows of a table: the settings that changed, before and after. */
const differences = (before: Site, after: Site): string[][] =>
  Object.entries(SITE_KEYS).flatMap(([key, { get }]) => {
    const [old, now] = [get(before), get(after)]
    return old === now ? [] : [[key, shown(old), '→', shown(now)]]
  })

const shown = (value: string): string =>
  value.length > SHOWN ? `${value.slice(0, SHOWN)}… (${value.length} letters)` : value || '(none)'

/** What happens by itself, and what the operator has to do. */
function adviceFor(store: Store, before: Site): string {
  if (store.counters().pages === 0) return ''
  const html =
    'Running servers follow within a second. The HTML of a page is made again at its next request;\n' +
    '"palimpsest render" makes all of it now.\n'
  const reasons = reindexReasons(before, store.site())
  if (reasons.length > 0)
    return `${html}Run "palimpsest reindex": words and links in texts depend on ${reasons.join(', ')}.\n`
  const queued = store.search.countQueued()
  return queued === 0
    ? html
    : `${html}Run "palimpsest reindex --missing": ${queued} pages have links that lead elsewhere now.\n`
}

/** Throws a CommandError for a node of a cluster whose other machines may not know such settings. */
export function requireRulesVersion({ log }: Store): void {
  const { version = WIKI_RULES_VERSION } = log.membership() ?? {}
  if (version >= WIKI_RULES_VERSION) return
  throw new CommandError(
    `the log of the cluster has version ${version}, which lacks such settings: when all nodes run this program, ` +
      'run "palimpsest cluster upgrade"',
  )
}
