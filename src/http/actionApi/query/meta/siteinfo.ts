/** `meta=siteinfo`: the facts about a wiki that clients read first. */
import { whyClosed } from '../../../../auth/closedWiki.js'
import { directionOf } from '../../../../domain/direction.js'
import { MAIN } from '../../../../domain/namespaceIds.js'
import type { Store } from '../../../../storage/store.js'
import { extensionTags } from '../../siteConstants.js'
import { type Interwiki, isLocalWiki } from '../../../../domain/interwiki.js'
import { languageNames } from '../../../../domain/languageNames.js'
import { USUAL_PROTOCOLS } from '../../../../domain/site.js'
import { groupRights } from '../../../../domain/rights.js'
import { SpecialPages } from '../../../../domain/specialPages.js'
import { formatTimestamp, toSeconds } from '../../../../domain/timestamp.js'
import { MAX_TEXT_BYTES } from '../../../../edit/editErrors.js'
import { choice, choicesOr, flag, text } from '../../frame/declaration.js'
import { ActionError } from '../../frame/problems.js'
import { type Fields, named, Truth } from '../../frame/values.js'
import { addressesOf } from '../../addresses.js'
import {
  FILE_EXTENSIONS,
  IMAGE_LIMITS,
  NO_SUBPAGES,
  NAMESPACE_FACTS,
  THUMBNAIL_LIMITS,
} from '../../siteConstants.js'
import { defineMeta, type QueryCall } from '../module.js'

/** Clients choose their behaviour by MediaWiki's version; this is the version whose answers this server gives. */
const GENERATOR = 'MediaWiki 1.39.17-palimpsest'
/** The inside of a PCRE character class over bytes. Clients build their title checks from it. */
const LEGAL_TITLE_CHARACTERS = ' %!"$&\'()*,\\-.\\/0-9:;=?@A-Z\\\\^_`a-z~\\x80-\\xFF+'

const PROPERTIES = {
  general,
  namespaces,
  namespacealiases: ({ wiki }) =>
    wiki.namespaces.aliases().map(([id, alias]) => named('alias', { id, alias })),
  specialpagealiases: ({ wiki }) =>
    Array.from(SpecialPages.of(wiki.site).names, ([realname, aliases]) => ({ realname, aliases })),
  magicwords: () => [{ name: 'redirect', aliases: ['#REDIRECT'], 'case-sensitive': false }],
  interwikimap: ({ context }) => [...context.store.interwiki().values()].map(interwiki),
  dbrepllag: () => [{ host: '', lag: -1 }],
  statistics,
  usergroups: ({ context }) => groupRights(context.config).map(([name, rights]) => ({ name, rights })),
  autocreatetempuser: () => ({ enabled: false }),
  clientlibraries: () => [],
  libraries: () => [],
  extensions,
  fileextensions: ({ wiki }) => (wiki.site.fileExtensions ?? FILE_EXTENSIONS).map((ext) => ({ ext })),
  rightsinfo: ({ wiki }) => ({ url: wiki.site.license.url, text: wiki.site.license.title }),
  restrictions: () => ({
    types: ['create', 'edit', 'move', 'upload'],
    levels: ['', 'autoconfirmed', 'sysop'],
    cascadinglevels: ['sysop'],
    semiprotectedlevels: ['autoconfirmed'],
  }),
  languages: () => languageNames().map(([code, name]) => named('name', { code, bcp47: code, name })),
  languagevariants: () => ({}),
  skins: () => [named('name', { code: 'vector', default: true, name: 'Vector' })],
  extensiontags: ({ wiki }) => (wiki.site.extensionTags ?? extensionTags()).map((name) => `<${name}>`),
  functionhooks: () => [],
  showhooks: () => [],
  variables: () => ['pagename', 'sitename'],
  protocols: ({ wiki }) => wiki.site.protocols ?? USUAL_PROTOCOLS,
  defaultoptions: () => ({}),
  uploaddialog: () => ({ fields: { description: true, date: false, categories: false } }),
} as const satisfies Readonly<Record<string, (call: QueryCall) => unknown>>
type Property = keyof typeof PROPERTIES
const NAMES = Object.keys(PROPERTIES) as Property[]

export const siteInfo = defineMeta({
  name: 'siteinfo',
  prefix: 'si',
  summary: 'Facts of the wiki',
  parameters: {
    prop: choicesOr(['general'], NAMES, 'what to tell'),
    filteriw: choice(['local', '!local'], 'only such prefixes of `interwikimap`'),
    showalldb: flag('not allowed'),
    numberingroup: flag('without effect'),
    inlanguagecode: text('without effect'),
  },
  async run(call, { prop, showalldb, filteriw }) {
    if (showalldb)
      throw new ActionError(
        'includeAllDenied',
        'Cannot view all servers\' info unless "$wgShowHostnames" is true.',
      )
    // The time, and whether the wiki is closed.
    if (prop.includes('general')) call.reuse.isPersonal = true
    const entries = await Promise.all(
      prop.map(async (name) => {
        const value: unknown = PROPERTIES[name](call)
        return [name, await value] as const
      }),
    )
    const result = Object.fromEntries(entries) as Record<string, unknown>
    const map = result['interwikimap'] as Fields[] | undefined
    if (filteriw !== undefined && map !== undefined)
      result['interwikimap'] = map.filter(({ local = false }) => local === (filteriw === 'local'))
    return result
  },
})

/** Clients treat an interwiki prefix with a `language` as a language link. */
function interwiki(entry: Interwiki): Fields {
  const { prefix, url, language } = entry
  return {
    prefix,
    ...(isLocalWiki(entry) && { local: true }),
    ...(language !== undefined && { language }),
    url,
    protorel: url.startsWith('//'),
  }
}

/** Facts that are the same for every wiki. Clients of one feature or another look for them. */
const FIXED_FACTS: Fields = {
  imagewhitelistenabled: false,
  langconversion: true,
  linkconversion: true,
  titleconversion: true,
  legaltitlechars: LEGAL_TITLE_CHARACTERS,
  invalidusernamechars: '@:>',
  allunicodefixes: false,
  fixarabicunicode: true,
  fixmalayalamunicode: true,
  variantarticlepath: new Truth(false),
  galleryoptions: {
    imagesPerRow: 0,
    imageWidth: 120,
    imageHeight: 120,
    captionLength: true,
    showBytes: true,
    showDimensions: true,
    mode: 'traditional',
  },
  thumblimits: { ...THUMBNAIL_LIMITS },
  imagelimits: { ...IMAGE_LIMITS.map(([width, height]) => ({ width, height })) },
  centralidlookupprovider: 'local',
  allcentralidlookupproviders: ['local'],
  interwikimagic: true,
  magiclinks: { ISBN: false, PMID: false, RFC: false },
  categorycollation: 'uppercase',
  nofollowlinks: true,
  nofollownsexceptions: [],
  nofollowdomainexceptions: ['mediawiki.org'],
  externallinktarget: false,
  citeresponsivereferences: true,
}

function general(call: QueryCall): Fields {
  const { wiki, context } = call
  const { site } = wiki
  const { server, scriptPath, links, url } = addressesOf(call)
  const mainPage = mainPageOf(site.base)
  return {
    mainpage: mainPage,
    base: url(mainPage.replaceAll(' ', '_')),
    sitename: site.name,
    ...linkSigns(wiki),
    mainpageisdomainroot: false,
    logo: site.logo || `${server}${links.root}/favicon.ico`,
    generator: GENERATOR,
    case: site.case,
    lang: site.language,
    fallback: wiki.namespaces.language.fallbacks.map((code) => ({ code })),
    rtl: directionOf(site.language) === 'rtl',
    fallback8bitEncoding: 'windows-1252',
    ...readOnlyFields(call),
    writeapi: true,
    maxarticlesize: MAX_TEXT_BYTES,
    timezone: 'UTC',
    timeoffset: 0,
    articlepath: `${links.wiki}$1`,
    scriptpath: scriptPath,
    script: `${scriptPath}/index.php`,
    server,
    servername: server.replace(/^https?:\/\//, ''),
    wikiid: site.wikiId,
    time: formatTimestamp(toSeconds(context.clock.nowMs())),
    misermode: false,
    uploadsenabled: context.config.uploadGroup !== 'none',
    maxuploadsize: context.config.uploadGroup === 'none' ? 0 : context.config.maxBodyBytes,
    minuploadchunksize: 0,
    favicon: `${server}${links.root}/favicon.ico`,
    ...FIXED_FACTS,
  }
}

/** Letters beside links that belong to them, as clients read them. */
function linkSigns({ namespaces: { language } }: QueryCall['wiki']): Fields {
  const { linkTrail, linkPrefix } = language
  return {
    linkprefixcharset: linkPrefix ?? '',
    linkprefix: linkPrefix === undefined ? '' : `/^((?>.*[^${linkPrefix}]|))(.+)$/sDu`,
    linktrail: linkTrail,
  }
}

/** The title in the URL of the main page. */
export function mainPageOf(base: string): string {
  const key = base.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(key).replaceAll('_', ' ') || 'Main Page'
  } catch {
    return key
  }
}

function readOnlyFields({ context }: QueryCall): Fields {
  const closed = whyClosed(context)
  if (closed === undefined) return { readonly: false }
  const reason = context.config.readOnly ? 'The server was started with --read-only.' : closed.message
  return { readonly: true, readonlyreason: reason }
}

function namespaces({ wiki }: QueryCall): Fields {
  const entries = wiki.site.namespaces.map(({ id, name, case: titleCase }) => {
    const canonical = wiki.namespaces.canonicalName(id) ?? (id === 0 ? undefined : name)
    const fields = {
      id,
      case: titleCase,
      name,
      subpages: wiki.namespaces.statedSubpages(id) ?? (!NO_SUBPAGES.has(id) && id < 3000),
      ...(canonical !== undefined && { canonical }),
      content: id === 0,
      nonincludable: false,
      ...NAMESPACE_FACTS[id],
    }
    return [id, named('name', fields)] as const
  })
  return Object.fromEntries(entries)
}

async function statistics({ context }: QueryCall): Promise<Fields> {
  const { pages, redirects, revisions, actors, files } = context.store.counters()
  return {
    pages,
    articles: Math.max(0, (await mainTitles(context)) - redirects),
    edits: revisions,
    images: files,
    users: actors,
    activeusers: 0,
    admins: 0,
    jobs: 0,
  }
}

interface KnownCount {
  readonly count: Promise<number>
  /** Milliseconds since 1970; undefined while the titles are being counted. */
  goodUntilMs: number | undefined
}

const COUNTS = new WeakMap<Store, KnownCount>()
/** A count is good for so many times the time that it took, and at least for a second. */
const GOOD_FOR_TIMES = 1000

/** Number of titles in the main namespace, which a thread counts. */
function mainTitles({ store, pool, clock }: QueryCall['context']): Promise<number> {
  const before = clock.nowMs()
  const known = COUNTS.get(store)
  if (known !== undefined && (known.goodUntilMs ?? Infinity) > before) return known.count
  const counted: KnownCount = { count: pool.run('countTitles', { namespace: MAIN }), goodUntilMs: undefined }
  COUNTS.set(store, counted)
  counted.count.then(
    () => (counted.goodUntilMs = clock.nowMs() + GOOD_FOR_TIMES * Math.max(1, clock.nowMs() - before)),
    () => COUNTS.delete(store),
  )
  return counted.count
}

/** Clients look here for what they may ask. */
function extensions({ context }: QueryCall): Fields[] {
  const entry = (name: string): Fields => ({
    type: 'other',
    name,
    url: `https://www.mediawiki.org/wiki/Extension:${name}`,
  })
  const ofHtml =
    context.renderings === undefined ? [] : ['TextExtracts', 'ParserFunctions', 'Cite', 'Scribunto']
  return ['PageImages', ...ofHtml].map(entry)
}
