/** Words for names of the page, or of the title after the colon. Those that end in `E` are encoded for URLs. */
import type { Title } from '../../../domain/title.js'
import { titleOf, type FunctionCall, type ParserFunction } from '../functionCall.js'
import { escapeWikitext } from '../literal.js'
import { baseKey, rootKey, subjectNamespace, subpageKey, talkNamespace } from '../titles.js'
import { encodeTitle } from './encoding.js'
import type { FunctionTable } from './table.js'

/** A part of a title, with underscores. Undefined when it does not exist, such as the talk page of a special page. */
type NamePart = (title: Title, call: FunctionCall) => string | undefined

const NAMES: Readonly<Record<string, NamePart>> = {
  PAGENAME: ({ dbkey }) => dbkey,
  FULLPAGENAME: (title, call) => fullKey(title, call),
  BASEPAGENAME: (title) => baseKey(title),
  ROOTPAGENAME: (title) => rootKey(title),
  SUBPAGENAME: (title) => subpageKey(title),
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

function fullKey(title: Title, { expander }: FunctionCall): string {
  return expander.titles.fullKey(title)
}

function namespaceKey(namespace: number, { expander }: FunctionCall): string {
  return expander.source.site.namespaces.keyPrefix(namespace).replace(/:$/, '')
}
