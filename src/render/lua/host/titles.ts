/** `mw.title`: parses titles, and reads facts about pages. */
import { defaultContentModel } from '../../../domain/contentModel.js'
import { capitalise, type Title, titleId } from '../../../domain/title.js'
import { redirectTarget } from '../../../domain/redirect.js'
import { protectionOf } from '../../preprocessor/protection.js'
import { sameTitle } from '../../preprocessor/sameTitle.js'
import { NAMESPACE } from '../../preprocessor/titles.js'
import { type LuaValue, Values } from '../engine/state.js'
import type { LuaSession } from '../session.js'
import type { HostArguments, HostTable } from './arguments.js'

/** Signs that a title cannot contain. */
const BAD_SIGNS = /[#<>[\]|{}\n\r\x7f]/
const MEDIA = -2
const MAX_TITLE_BYTES = 255

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
  const { titles } = page.expander
  const text = args.text(1)
  const foreign = titles.foreign(text)
  if (foreign !== undefined) {
    const [key = '', fragment = ''] = foreign.key.split(/#(.*)/s)
    return titleValues({ namespace: NAMESPACE.main, dbkey: key }, fragment, foreign.prefix)
  }
  const preset = args.isNil(2) ? NAMESPACE.main : args.number(2)
  const located = titles.locate(text)
  if (
    preset === NAMESPACE.main ||
    text.startsWith(':') ||
    (located && located.title.namespace !== NAMESPACE.main)
  )
    return located && titleValues(located.title, located.fragment)
  const inPreset = titles.locate(page.expander.source.site.namespaces.keyPrefix(preset) + text)
  return inPreset && titleValues(inPreset.title, inPreset.fragment)
}

/** Arguments: namespace, text without prefix, fragment, interwiki prefix. */
function makeTitle(args: HostArguments, page: LuaSession): LuaValue | Values {
  const { titles, source } = page.expander
  const { namespaces } = source.site
  const namespace = args.number(1)
  const text = args.text(2)
  const fragment = args.optionalText(3) ?? ''
  const interwiki = args.optionalText(4) ?? ''
  if (text.trim() === '' || Buffer.byteLength(text) > MAX_TITLE_BYTES || BAD_SIGNS.test(text))
    return undefined
  if (interwiki !== '') return titleValues({ namespace: NAMESPACE.main, dbkey: text }, fragment, interwiki)
  const parsed = titles.parse(namespaces.keyPrefix(namespace) + text)
  if (parsed === undefined && titles.foreign(text) === undefined) return undefined
  if (parsed?.namespace === namespace) return titleValues(parsed, fragment)
  const key = text.replace(/[ _]+/g, '_').replace(/^_|_$/g, '')
  return titleValues(
    { namespace, dbkey: namespaces.raisesFirstLetter(namespace) ? capitalise(key) : key },
    fragment,
  )
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
  return title.namespace < 0 ? undefined : page.readPage(title)?.text
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

/** Whether the page exists, and the levels that editing and creating it need; nil: everybody may. Costs. */
function protection(args: HostArguments, page: LuaSession): Values {
  const { source, report } = page.expander
  const title = titleOf(args)
  page.countExpensive(`protection:${titleId(title)}`)
  if (title.namespace < 0) return new Values(false)
  report.addPage(title)
  const { edit, create } = protectionOf(title, page.expander)
  return new Values(source.pageExists(title), edit, create)
}
