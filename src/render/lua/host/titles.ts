/** `mw.title`: parses titles, and reads facts about pages. */
import { defaultContentModel } from '../../../domain/contentModel.js'
import type { Namespaces } from '../../../domain/namespaces.js'
import { type Title, titleId, sameTitle } from '../../../domain/title.js'
import { redirectTarget } from '../../../domain/redirect.js'
import { protectionOf } from '../../preprocessor/functions/revisions.js'
import { NAMESPACE } from '../../preprocessor/titles.js'
import { type LuaValue, Values } from '../engine/state.js'
import type { LuaSession } from '../session.js'
import type { HostArguments, HostTable } from './arguments.js'

/** A fragment of no page, as in a link within the page. */
const BARE_FRAGMENT = /^[ _]*:?[ _]*#(.*[^ _].*)$/s
/** In a text that is not decoded, the `&` of a character reference makes a title invalid. */
const REFERENCE = /&[A-Za-z0-9\u0080-\uffff]+;/
const MEDIA = -2

export const TITLE_FUNCTIONS: HostTable = {
  values: {
    newTitle,
    makeTitle,
    titleById,
    currentTitle: (_args, page) => titleValues(page.expander.page.title, ''),
    pageFacts,
    pageContent: (args, page) => readText(titleOf(args), page),
    redirectTarget: (args, page) => {
      const text = readText(titleOf(args), page)
      return text === undefined ? undefined : redirectTarget(text)
    },
    countExpensive: (args, page) => {
      page.countExpensive(args.optionalText(1))
      return undefined
    },
    fileFacts,
    protection,
  },
}

function titleValues({ namespace, dbkey }: Title, fragment: string, interwiki = ''): Values {
  return new Values(namespace, dbkey.replaceAll('_', ' '), fragment.replaceAll('_', ' '), interwiki)
}

/** The title for a namespace and a text in reading form. */
function titleOf(args: HostArguments): Title {
  return { namespace: args.number(1), dbkey: args.text(2).replaceAll(' ', '_') }
}

/** Arguments: text, and the namespace for a text without prefix. Returns nothing for an invalid title. */
function newTitle(args: HostArguments, page: LuaSession): LuaValue | Values {
  const { titles, source } = page.expander
  const { namespaces } = source.site
  const text = args.text(1)
  const foreign = titles.foreign(text)
  if (foreign !== undefined) {
    const [key = '', fragment = ''] = foreign.key.split(/#(.*)/s)
    return titleValues({ namespace: NAMESPACE.main, dbkey: key }, fragment, foreign.prefix)
  }
  const preset = args.isNil(2) ? NAMESPACE.main : args.number(2)
  const isWhole = preset === NAMESPACE.main || text.startsWith(':') || hasNamespace(text, namespaces)
  const located = titles.locate(isWhole ? text : namespaces.keyPrefix(preset) + text)
  if (located !== undefined) return titleValues(located.title, located.fragment)
  const fragment = isWhole ? BARE_FRAGMENT.exec(text)?.[1] : undefined
  return fragment === undefined ? undefined : titleValues({ namespace: NAMESPACE.main, dbkey: '' }, fragment)
}

function hasNamespace(text: string, namespaces: Namespaces): boolean {
  const name = /^[ _]*([^:]*?)[ _]*:/.exec(text)?.[1]
  return name !== undefined && (namespaces.idByName(name) ?? NAMESPACE.main) !== NAMESPACE.main
}

/**
 * Arguments: namespace, text, fragment, interwiki prefix. A text of the main namespace may have a prefix. Each text may
 * have a fragment. Character references stay as they are.
 */
function makeTitle(args: HostArguments, page: LuaSession): LuaValue | Values {
  const { titles, source } = page.expander
  const [text, own] = [args.text(2), args.optionalText(3) ?? '']
  const interwiki = args.optionalText(4) ?? ''
  const [key = '', fragment = ''] = `${text}${own && `#${own}`}`.replace(/[ _]+$/, '').split(/#(.*)/s)
  if (REFERENCE.test(key)) return undefined
  const located = titles.locate(source.site.namespaces.keyPrefix(args.number(1)) + key)
  if (interwiki !== '' && located !== undefined)
    return titleValues({ namespace: NAMESPACE.main, dbkey: text }, own, interwiki)
  if (located !== undefined) return titleValues(located.title, fragment)
  const isBare = args.number(1) === NAMESPACE.main && /^[ _]*:?[ _]*$/.test(key) && fragment !== ''
  return isBare ? titleValues({ namespace: NAMESPACE.main, dbkey: '' }, fragment) : undefined
}

function titleById(args: HostArguments, page: LuaSession): LuaValue | Values {
  const id = args.number(1)
  page.countExpensive(`id:${id}`)
  if (!Number.isSafeInteger(id) || id <= 0) return undefined
  const title = page.expander.source.pageTitle(id)
  if (title !== undefined) page.dependOn(title)
  return title && titleValues(title, '')
}

/** Returns id, existence, whether the page is a redirect, and content model. Each title counts once as expensive. */
function pageFacts(args: HostArguments, page: LuaSession): Values {
  const { source, page: own } = page.expander
  const title = titleOf(args)
  if (title.dbkey === '') return new Values(0, false, false, 'wikitext')
  if (!sameTitle(title, own.title)) page.countExpensive(titleId(title))
  if (title.namespace < 0) return new Values(0, title.namespace === NAMESPACE.special, false, 'wikitext')
  page.dependOn(title)
  const found = source.pageExists(title) ? source.readPage(title) : undefined
  if (found === undefined)
    return new Values(0, false, false, defaultContentModel(title.namespace, title.dbkey))
  const isRedirect = found.contentModel === 'wikitext' && redirectTarget(found.text) !== undefined
  return new Values(found.id, true, isRedirect, found.contentModel)
}

function readText(title: Title, page: LuaSession): string | undefined {
  return title.namespace < 0 || title.dbkey === '' ? undefined : page.readPage(title)?.text
}

function fileFacts(args: HostArguments, page: LuaSession): LuaValue {
  const { source, report } = page.expander
  const name = args.text(1).replaceAll(' ', '_')
  page.countExpensive(`${MEDIA}:${name}`)
  report.addFile(name)
  const facts = source.fileFacts(name)
  if (facts === undefined) return { exists: false }
  const { width, height, sizeBytes, mime } = facts
  return { exists: true, width, height, size: sizeBytes, mimeType: mime, pages: null }
}

/** Whether the page exists, and the levels that editing, creating and moving it need; nil: everybody may. Costs. */
function protection(args: HostArguments, page: LuaSession): Values {
  const { source, report } = page.expander
  const title = titleOf(args)
  page.countExpensive(`protection:${titleId(title)}`)
  if (title.namespace < 0 || title.dbkey === '') return new Values(false)
  report.addPage(title)
  const { edit, create, move } = protectionOf(title, page.expander)
  return new Values(source.pageExists(title), edit, create, move)
}
