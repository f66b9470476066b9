/** `mw.site` */
import { namespaceContentModel } from '../../../domain/contentModel.js'
import { decodeCharacterReferences } from '../../../domain/characterReferences.js'
import { NAMESPACE, subjectNamespace, talkNamespace, hasSubpages } from '../../preprocessor/titles.js'
import { LuaError, type LuaValue } from '../engine/state.js'
import type { LuaSession } from '../session.js'
import type { HostArguments, HostTable } from './arguments.js'

const COUNT_LIFETIME_S = 3600

export const SITE_FUNCTIONS: HostTable = {
  values: {
    site: (_args, page) => siteFacts(page),
    namespaces: (_args, page) => namespaceList(page),
    namespaceId: (args, page) => page.expander.source.site.namespaces.idByName(args.text(1)),
    statistics,
    pagesInNamespace,
    usersInGroup,
    categorySize,
    interwikiMap,
    hasWikibase: (_args, page) => page.thread.hasWikibase,
    contentLanguage: (_args, page) => page.expander.source.site.language,
  },
}

function siteFacts({ expander }: LuaSession): LuaValue {
  const { name, server, scriptPath, version } = expander.source.site
  return { siteName: name, server, scriptPath, stylePath: `${scriptPath}/skins`, currentVersion: version }
}

/** The facts of each namespace, with the ids of its subject and talk namespaces. */
function namespaceList({ expander }: LuaSession): LuaValue {
  const { namespaces } = expander.source.site
  const aliases = namespaces.aliases()
  return namespaces.ids().map((id) => {
    const subject = subjectNamespace(id)
    const talk = talkNamespace(id)
    return {
      id,
      name: namespaces.nameOf(id) ?? '',
      canonicalName: namespaces.canonicalName(id) ?? '',
      aliases: aliases.filter(([aliasOf]) => aliasOf === id).map(([, alias]) => alias),
      hasSubpages: hasSubpages(id, namespaces),
      hasGenderDistinction: id === 2 || id === 3,
      isCapitalized: namespaces.raisesFirstLetter(id),
      isContent: id === NAMESPACE.main,
      defaultContentModel: namespaceContentModel(id),
      isIncludable: true,
      isMovable: id >= 0,
      isSubject: subject === id,
      isTalk: subject !== id,
      subjectId: subject,
      talkId: talk ?? null,
    }
  })
}

function statistics(_args: HostArguments, { expander }: LuaSession): LuaValue {
  expander.report.holdsFor(COUNT_LIFETIME_S)
  return { ...expander.source.statistics() }
}

function pagesInNamespace(args: HostArguments, { expander }: LuaSession): number {
  expander.report.holdsFor(COUNT_LIFETIME_S)
  const id = args.number(1)
  return expander.source.site.namespaces.nameOf(id) === undefined ? 0 : expander.source.pagesInNamespace(id)
}

function usersInGroup(args: HostArguments, { expander }: LuaSession): number {
  expander.report.holdsFor(COUNT_LIFETIME_S)
  return expander.source.usersInGroup(args.text(1))
}

function categorySize(args: HostArguments, page: LuaSession): LuaValue {
  const { titles, source, report } = page.expander
  const title = titles.parseIn(NAMESPACE.category, decodeCharacterReferences(args.text(1)))
  const kind = args.optionalText(2) ?? 'all'
  if (title === undefined) return 0
  page.countExpensive(`${NAMESPACE.category}:${title.dbkey}:size`)
  report.holdsFor(COUNT_LIFETIME_S)
  const count = (of: 'all' | 'pages' | 'files' | 'subcats'): number => source.categorySize(title.dbkey, of)
  switch (kind) {
    case '*':
      return { all: count('all'), pages: count('pages'), files: count('files'), subcats: count('subcats') }
    case 'all':
    case 'pages':
    case 'files':
    case 'subcats':
      return count(kind)
    default:
      throw new LuaError(`bad argument #2 to 'pagesInCategory' (unrecognized option '${kind}')`)
  }
}

function interwikiMap(args: HostArguments, { expander }: LuaSession): LuaValue {
  const filter = args.optionalText(1)
  if (filter !== undefined && filter !== 'local' && filter !== '!local')
    throw new LuaError(`bad argument #1 to 'interwikiMap' (unknown filter '${filter}')`)
  const { site } = expander.source
  const rows = expander.source
    .interwikiMap()
    .filter(({ isLocal }) => filter === undefined || isLocal === (filter === 'local'))
  return new Map(
    rows.map(({ prefix, url, isLocal }) => [
      prefix,
      {
        prefix,
        url,
        isLocal,
        isProtocolRelative: url.startsWith('//'),
        isCurrentWiki: url === site.server + site.articlePath,
        isTranscludable: false,
        isExtraLanguageLink: false,
      },
    ]),
  )
}
