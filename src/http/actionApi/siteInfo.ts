/** `meta=siteinfo`: the facts about a wiki that clients read first. */
import { whyClosed } from '../../auth/closedWiki.js'
import { namespaceContentModel } from '../../domain/contentModel.js'
import { TALK } from '../../domain/namespaceIds.js'
import { directionOf } from '../../domain/direction.js'
import type { Interwiki } from '../../domain/interwiki.js'
import { languageNames } from '../../domain/languageNames.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { groupRights } from '../../domain/rights.js'
import { formatTimestamp, toSeconds } from '../../domain/timestamp.js'
import { MAX_TEXT_BYTES } from '../../edit/sizeLimit.js'
import { folderOf } from '../openapi/describedRoute.js'
import type { ActionCall, ActionResult, Shape } from './call.js'

const PROPERTIES = [
  'general',
  'namespaces',
  'namespacealiases',
  'interwikimap',
  'languages',
  'extensions',
  'rightsinfo',
  'usergroups',
] as const
/** Clients choose their behaviour by MediaWiki's version; this is the version whose answers this server gives. */
const GENERATOR = 'MediaWiki 1.39.17-palimpsest'
/** The inside of a PCRE character class over bytes. Clients build their title checks from it. */
const LEGAL_TITLE_CHARACTERS = ' %!"$&\'()*,\\-.\\/0-9:;=?@A-Z\\\\^_`a-z~\\x80-\\xFF+'

export function siteInfo(call: ActionCall): ActionResult {
  const { parameters, shape, wiki } = call
  const wanted = parameters.listOf('siteinfo', 'siprop', PROPERTIES, ['general'])
  const { site } = wiki
  const properties: Readonly<Record<(typeof PROPERTIES)[number], () => unknown>> = {
    general: () => general(call),
    namespaces: () => namespaces(call),
    namespacealiases: () => namespaceAliases(wiki.namespaces, shape),
    interwikimap: () => [...call.context.store.interwiki().values()].map((other) => interwiki(other, shape)),
    languages: () =>
      languageNames().map(([code, name]) => ({ code, bcp47: code, ...shape.text('name', name) })),
    extensions: () => [],
    rightsinfo: () => ({ url: site.license.url, text: site.license.title }),
    usergroups: () => groupRights().map(([name, rights]) => ({ name, rights })),
  }
  return Object.fromEntries(wanted.map((property) => [property, properties[property]()]))
}

/** Clients treat an interwiki prefix with a `language` as a language link. */
function interwiki({ prefix, url, language }: Interwiki, shape: Shape): ActionResult {
  return {
    prefix,
    ...(language !== undefined && { language, bcp47: prefix }),
    url,
    ...shape.flag('protorel', url.startsWith('//')),
  }
}

function general({ shape, wiki, request, context }: ActionCall): ActionResult {
  const { site } = wiki
  const [, server = '', path = ''] = /^(https?:\/\/[^/]*)(.*)$/.exec(request.baseUrl()) ?? []
  const scriptPath = folderOf(path, context.root)
  return {
    mainpage: mainPage(site.base),
    base: site.base,
    sitename: site.name,
    generator: GENERATOR,
    legaltitlechars: LEGAL_TITLE_CHARACTERS,
    case: site.case,
    lang: site.language,
    fallback: [],
    ...shape.flag('rtl', directionOf(site.language) === 'rtl'),
    fallback8bitEncoding: 'windows-1252',
    ...shape.flag('writeapi', true),
    ...readOnlyFields(shape, context),
    maxarticlesize: MAX_TEXT_BYTES,
    timezone: 'UTC',
    timeoffset: 0,
    articlepath: `${scriptPath}/index.php?title=$1`,
    scriptpath: scriptPath,
    script: `${scriptPath}/index.php`,
    variantarticlepath: false,
    server,
    servername: server.replace(/^https?:\/\//, ''),
    wikiid: site.wikiId,
    time: formatTimestamp(toSeconds(context.clock.nowMs())),
    ...shape.flag('misermode', false),
    ...shape.flag('uploadsenabled', false),
    invalidusernamechars: '@:>=',
    maxuploadsize: 0,
  }
}

/** The title in the URL of the main page. */
function mainPage(base: string): string {
  const key = base.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(key).replaceAll('_', ' ') || 'Main Page'
  } catch {
    return key
  }
}

function readOnlyFields(shape: Shape, context: ActionCall['context']): ActionResult {
  const closed = whyClosed(context)
  if (closed === undefined) return shape.flag('readonly', false)
  const reason = context.config.readOnly ? 'The server was started with --read-only.' : closed.message
  return { ...shape.flag('readonly', true), readonlyreason: reason }
}

function namespaces({ shape, wiki }: ActionCall): ActionResult {
  const entries = wiki.site.namespaces.map(({ id, name, case: titleCase }) => {
    const canonical = wiki.namespaces.canonicalName(id)
    const model = namespaceContentModel(id)
    return [
      id,
      {
        id,
        case: titleCase,
        ...shape.text('name', name),
        ...shape.flag('subpages', id >= TALK),
        ...(canonical !== undefined && { canonical }),
        ...shape.flag('content', id === 0),
        ...shape.flag('nonincludable', false),
        ...(model !== undefined && { defaultcontentmodel: model }),
      },
    ] as const
  })
  return Object.fromEntries(entries)
}

function namespaceAliases(all: Namespaces, shape: Shape): ActionResult[] {
  return all.aliases().map(([id, alias]) => ({ id, ...shape.text('alias', alias) }))
}
