/** `meta=allmessages` and `filerepoinfo`: texts of the interface, and where files are. */
import { MEDIAWIKI } from '../../../../domain/namespaceIds.js'
import { parseTitle } from '../../../../domain/title.js'
import { choiceOr, choicesOr, flag, text, texts } from '../../frame/declaration.js'
import { named } from '../../frame/values.js'
import { addressesOf } from '../../addresses.js'
import { MESSAGES } from '../../siteConstants.js'
import { defineMeta, type QueryCall } from '../module.js'

export const allMessages = defineMeta({
  name: 'allmessages',
  prefix: 'am',
  summary: 'Texts of the interface: those that pages of the wiki replace, and a few more',
  parameters: {
    messages: texts('names'),
    prop: choicesOr([], ['default'], 'what to tell'),
    enableparser: flag('without effect'),
    nocontent: flag('names alone'),
    includelocal: flag('without effect'),
    args: texts('without effect'),
    filter: text('only names that contain this'),
    customised: choiceOr('all', ['all', 'modified', 'unmodified'], 'replaced by a page or not'),
    lang: text('without effect'),
    from: text('begin with this name'),
    to: text('end with this name'),
    title: text('without effect'),
    prefix: text('only names that begin so'),
  },
  run(call, { messages, prop, nocontent, filter, customised, prefix, from, to }) {
    const chosen = messages === undefined || messages.includes('*') ? namesOf(call) : messages
    const shown = chosen
      .filter((name) => filter === undefined || name.includes(filter))
      .filter((name) => prefix === undefined || name.startsWith(prefix))
      .filter((name) => (from === undefined || name >= from) && (to === undefined || name <= to))
      .map((name) => messageOf(name, { showsDefault: prop.includes('default'), isBare: nocontent }, call))
      .filter(({ isCustom }) => customised === 'all' || isCustom === (customised === 'modified'))
    const marks = customised === 'modified' ? { customised: true } : {}
    return { allmessages: shown.map(({ fields }) => named('content', { ...fields, ...marks })) }
  },
})

/** Pages of the namespace to read. */
const MAX_PAGES = 500

function namesOf({ context }: QueryCall): string[] {
  const names = new Set(Object.keys(MESSAGES))
  let read = 0
  for (const dbkey of context.store.lists.walkTitles(MEDIAWIKI, { isReverse: false })) {
    if (read++ === MAX_PAGES) break
    const name = lowered(dbkey).replaceAll('_', ' ')
    if (!name.includes('/') && !name.startsWith('gadget-')) names.add(name)
  }
  return [...names].sort()
}

const lowered = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1)

function messageOf(
  name: string,
  { showsDefault, isBare }: { readonly showsDefault: boolean; readonly isBare: boolean },
  { context, wiki }: QueryCall,
): { readonly isCustom: boolean; readonly fields: Record<string, unknown> } {
  const normalizedname = lowered(name)
  const parsed = parseTitle(wiki.namespaces.keyPrefix(MEDIAWIKI) + name, wiki.namespaces)
  const page = parsed.ok ? context.store.getPage(parsed.title.namespace, parsed.title.dbkey) : undefined
  const custom = page && context.store.getText(page.latestId)
  const fallback = MESSAGES[normalizedname]
  const content = custom ?? fallback
  const fields = {
    name,
    normalizedname,
    ...(content === undefined && { missing: true }),
    ...(content !== undefined && !isBare && { content }),
    ...(showsDefault && fallback !== undefined && { default: fallback }),
  }
  return { isCustom: custom !== undefined, fields }
}

export const fileRepoInfo = defineMeta({
  name: 'filerepoinfo',
  prefix: 'fri',
  summary: 'Where files are',
  parameters: {
    prop: choicesOr(
      ['name', 'displayname', 'rootUrl', 'local'],
      ['name', 'displayname', 'rootUrl', 'local', 'url', 'scriptDirUrl'],
      'what to tell',
    ),
  },
  run(call, { prop }) {
    const { server, scriptPath } = addressesOf(call)
    const facts: Readonly<Record<string, unknown>> = {
      name: 'local',
      displayname: call.wiki.site.name,
      rootUrl: `${call.baseUrl}/media`,
      url: `${call.baseUrl}/media`,
      scriptDirUrl: server + scriptPath,
      local: true,
    }
    return { repos: [Object.fromEntries(prop.map((name) => [name, facts[name]]))] }
  },
})
