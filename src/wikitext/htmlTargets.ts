/** What the HTML of a page leads to: all that its text and its templates name. */
import { decodeCharacterReferences } from '../domain/characterReferences.js'
import { FILE } from '../domain/namespaceIds.js'
import { decodePercent } from '../domain/percent.js'
import { parseTitle, type Title } from '../domain/title.js'
import type { LinkRules } from './languageLinks.js'
import { type TargetLists, Targets } from './pageTargets.js'

const TAG = /<(a|link|img|video|audio|span)\s((?:[^<>"']|"[^"]*"|'[^']*')*)>/g
const ATTRIBUTE = /([a-z-]+)=(?:"([^"]*)"|'([^']*)')/g
/** Relations of links within the wiki. */
const WIKI_LINK = 'mw:WikiLink'
const WIKI_LINKS: ReadonlySet<string> = new Set([WIKI_LINK, 'mw:PageProp/redirect'])
/** Tags to look at. */
const MAX_TAGS = 200_000

/** Links, files, addresses and titles of other wikis. Templates leave no trace in HTML that tells all of them. */
export function htmlTargets(
  html: string,
  page: Title,
  rules: LinkRules,
): Omit<TargetLists, 'template' | 'redirect'> {
  const targets = new Targets(page, rules)
  let tags = 0
  for (const [, , attributes = ''] of html.matchAll(TAG)) {
    if (++tags > MAX_TAGS) break
    if (!attributes.includes('rel=') && !attributes.includes('resource=')) continue
    const values = new Map(
      Array.from(attributes.matchAll(ATTRIBUTE), ([, name, one, other]) => [name, one ?? other ?? '']),
    )
    readTag(targets, (name) => decodeCharacterReferences(values.get(name) ?? ''), rules)
  }
  const { template: _template, redirect: _redirect, ...lists } = targets.lists()
  return lists
}

function readTag(targets: Targets, valueOf: (name: string) => string, { namespaces }: LinkRules): void {
  const relation = valueOf('rel')
  const file = titleIn(valueOf('resource'))
  if (file !== undefined) {
    const parsed = parseTitle(file, namespaces)
    if (parsed.ok && parsed.title.namespace === FILE) targets.add('file', FILE, parsed.title.dbkey)
  }
  const href = valueOf('href')
  if (relation === 'mw:ExtLink') targets.addAddress(href)
  else if (relation === 'mw:WikiLink/Interwiki') targets.addAway(valueOf('title'))
  else if (WIKI_LINKS.has(relation)) {
    const title = titleIn(href)
    if (title !== undefined) targets.addPage(title, relation !== WIKI_LINK)
  }
}

/** The title in an address relative to the wiki; undefined for other addresses. */
function titleIn(address: string): string | undefined {
  const [, path] = /^\.\/([^?#]+)/.exec(address) ?? []
  return path === undefined ? undefined : decodePercent(path)
}
