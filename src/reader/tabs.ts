/** Tabs above a page: the page, its discussion, and the views of it. */
import type { Namespaces } from '../domain/namespaces.js'
import { prefixedKey, type Title } from '../domain/title.js'
import type { Fragment } from './html.js'
import { encodePercent } from '../domain/percent.js'
import { type MessageKey, text, word } from './messages.js'
import type { ReaderSite } from './site.js'

export interface Tab {
  readonly label: Fragment
  readonly href: string
  readonly isSelected: boolean
  /** The tab leads to a page that does not exist. */
  readonly isMissing?: boolean
  /** Name of the file that a browser makes of it. */
  readonly download?: string
}

export type SelectedTab = 'read' | 'edit' | 'history' | 'info'

export interface TabFacts {
  readonly site: Pick<ReaderSite, 'links' | 'words' | 'language' | 'allowsEdits'>
  readonly title: Title
  readonly selected: SelectedTab
  readonly exists: boolean
  /** Whether the other page of the pair, the discussion or its subject, exists. */
  readonly otherExists: boolean
}

/** Tabs of the page and its discussion, then those of its views. */
export function pageTabs(facts: TabFacts, namespaces: Namespaces): readonly (readonly Tab[])[] {
  const { site, title, selected, exists } = facts
  const { links, allowsEdits } = site
  const key = prefixedKey(title, namespaces)
  const views: Tab[] = []
  const add = (label: MessageKey, href: string, tab: SelectedTab): unknown =>
    views.push({ label: word(site, label), href, isSelected: tab === selected })
  if (exists) add('tab-read', links.page(key), 'read')
  if (allowsEdits) add('tab-edit', links.action(key, 'edit'), 'edit')
  else if (exists) add('tab-source', links.action(key, 'edit'), 'edit')
  if (exists) add('tab-history', links.action(key, 'history'), 'history')
  return [pairOf(facts, namespaces), views]
}

/** Every namespace of pages has one for discussions: its number plus one, which is odd. */
function pairOf({ site, title, exists, otherExists }: TabFacts, namespaces: Namespaces): readonly Tab[] {
  const { namespace, dbkey } = title
  const isTalk = namespace % 2 === 1
  const tab = (id: number, label: MessageKey): Tab => ({
    label: word(site, label),
    href: site.links.page(prefixedKey({ namespace: id, dbkey }, namespaces)),
    isSelected: id === namespace,
    isMissing: id === namespace ? !exists : !otherExists,
  })
  const subject = isTalk ? namespace - 1 : namespace
  const pair = [tab(subject, 'tab-page')]
  if (namespaces.byId(subject + 1) !== undefined) pair.push(tab(subject + 1, 'tab-talk'))
  return pair
}

/** What readers can learn about a page that exists: a menu beside its tabs. */
export function pageTools(
  site: Pick<ReaderSite, 'links' | 'api' | 'words' | 'language'>,
  key: string,
): readonly Tab[] {
  const { links, api } = site
  const tool = (label: Fragment, href: string): Tab => ({ label, href, isSelected: false })
  return [
    tool(word(site, 'tool-links'), links.special('WhatLinksHere', {}, key)),
    tool(word(site, 'tool-related'), links.special('RecentChangesLinked', {}, key)),
    tool(word(site, 'tool-info'), links.action(key, 'info')),
    tool(word(site, 'tool-cite'), links.special('CiteThisPage', {}, key)),
    {
      ...tool(text('tool-markdown'), `${api}/page/${encodePercent(key.toWellFormed())}/markdown`),
      download: `${key.toWellFormed().replaceAll(/[/\\:]/g, '-')}.md`,
    },
  ]
}
