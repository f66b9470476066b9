/** Words for names of the page, or of the title after the colon. Those that end in `E` are encoded for URLs. */
import type { Namespaces } from '../../../domain/namespaces.js'
import type { Title } from '../../../domain/title.js'
import {
  titleOf,
  type FunctionCall,
  type ParserFunction,
  costlyText,
  type FunctionTable,
} from '../functionCall.js'
import { escapeWikitext, strongError } from '../literal.js'
import { baseKey, rootKey, subjectNamespace, subpageKey, talkNamespace } from '../titles.js'
import { encodeTitle } from './encoding.js'
import { escapeHtml } from '../../../domain/html.js'
import { withoutMarkers } from '../stripMarkers.js'

/** A part of a title, with underscores. Undefined when it does not exist, such as the talk page of a special page. */
type NamePart = (title: Title, call: FunctionCall) => string | undefined

const NAMES: Readonly<Record<string, NamePart>> = {
  PAGENAME: ({ dbkey }) => dbkey,
  FULLPAGENAME: (title, call) => fullKey(title, call),
  BASEPAGENAME: (title, call) => baseKey(title, namespacesOf(call)),
  ROOTPAGENAME: (title, call) => rootKey(title, namespacesOf(call)),
  SUBPAGENAME: (title, call) => subpageKey(title, namespacesOf(call)),
  SUBJECTPAGENAME: (title, call) => fullKey({ ...title, namespace: subjectNamespace(title.namespace) }, call),
  TALKPAGENAME: (title, call) => {
    const namespace = talkNamespace(title.namespace)
    return namespace === undefined ? undefined : fullKey({ ...title, namespace }, call)
  },
}

const SPACES: Readonly<Record<string, NamePart>> = {
  NAMESPACE: ({ namespace }, call) => namespaceKey(namespace, call),
  SUBJECTSPACE: ({ namespace }, call) => namespaceKey(subjectNamespace(namespace), call),
  TALKSPACE: ({ namespace }, call) => {
    const talk = talkNamespace(namespace)
    return talk === undefined ? undefined : namespaceKey(talk, call)
  },
}

/** Synonyms of names. */
const SYNONYMS: Readonly<Record<string, string>> = {
  ARTICLEPAGENAME: 'SUBJECTPAGENAME',
  ARTICLESPACE: 'SUBJECTSPACE',
}

export const PAGE_NAMES: FunctionTable = {
  ...table(NAMES, escapeWikitext),
  ...table(SPACES, (text) => text),
  NAMESPACENUMBER: (call) => String(titleOf(call)?.namespace ?? ''),
}

function table(parts: Readonly<Record<string, NamePart>>, show: (text: string) => string): FunctionTable {
  const named = [
    ...Object.entries(parts),
    ...Object.entries(SYNONYMS).flatMap(([name, meant]) =>
      parts[meant] ? [[name, parts[meant]] as const] : [],
    ),
  ]
  return Object.fromEntries(
    named.flatMap(([name, part]): [string, ParserFunction][] => [
      [name, (call) => show(keyOf(part, call).replaceAll('_', ' '))],
      [`${name}E`, (call) => escapeWikitext(encodeTitle(keyOf(part, call)))],
    ]),
  )
}

/** Empty for an invalid title. */
function keyOf(part: NamePart, call: FunctionCall): string {
  const title = titleOf(call)
  return (title && part(title, call)) ?? ''
}

const namespacesOf = ({ expander }: FunctionCall): Namespaces => expander.source.site.namespaces

function fullKey(title: Title, { expander }: FunctionCall): string {
  return expander.titles.fullKey(title)
}

const namespaceKey = (namespace: number, call: FunctionCall): string =>
  namespacesOf(call).keyPrefix(namespace).replace(/:$/, '')

// `#titleparts` and `#rel2abs`, which work on the parts of titles between slashes.

const MAX_PARTS = 25
const MAX_PATH_LENGTH = 2048

export const PATH_FUNCTIONS: FunctionTable = {
  '#titleparts': titleParts,
  '#rel2abs': absolutePath,
}

/**
 * Arguments: title, number of parts, first part. A number of 0 means all parts, and a negative one drops that many at
 * the end. The first part counts from 1, or from the end if it is negative.
 */
function titleParts(call: FunctionCall): string {
  const text = withoutMarkers(call.text(0))
  const title = call.expander.titles.parse(text)
  if (title === undefined) return text
  const all = call.expander.titles.fullText(title).split('/')
  const parts =
    all.length > MAX_PARTS ? [...all.slice(0, MAX_PARTS - 1), all.slice(MAX_PARTS - 1).join('/')] : all
  const count = parseInt(call.text(1), 10) || 0
  const place = parseInt(call.text(2), 10) || 0
  const rest = parts.slice(place > 0 ? place - 1 : place)
  return rest.slice(0, count === 0 ? rest.length : count).join('/')
}

/** A path that begins with `/`, `./` or `../` is relative to the second argument, or to the page. */
function absolutePath(call: FunctionCall): string {
  const path = withoutEnd(withoutMarkers(costlyText(call, 0)).slice(0, MAX_PATH_LENGTH))
  const from = costlyText(call, 1) || call.expander.titles.fullText(call.expander.page.title)
  if (path === '' || path === '.') return from
  const parts: string[] = /^\.{0,2}\/|^\.\.?$/.test(path) ? segments(from) : []
  for (const part of segments(path)) {
    if (part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) {
      const shown = escapeHtml(path)
      return strongError(
        `Error: Invalid depth in path: "${shown}" (tried to access a node above the root node).`,
      )
    }
  }
  return parts.join('/')
}

/** The path without blanks and slashes at its end. */
function withoutEnd(path: string): string {
  let end = path.length
  while (path[end - 1] === ' ' || path[end - 1] === '/') end--
  return path.slice(0, end)
}

function segments(path: string): string[] {
  return path.split('/').filter((part) => part !== '')
}
