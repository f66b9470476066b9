/** Tabs above a page: the page, its discussion, and the views of it. */
import type { Namespaces } from '../domain/namespaces.js'
import { prefixedKey, type Title } from '../domain/title.js'
import type { Links } from './links.js'
import { text } from './messages.js'

export interface Tab {
  readonly label: string
  readonly href: string
  readonly isSelected: boolean
  /** The tab leads to a page that does not exist. */
  readonly isMissing?: boolean
}

export type SelectedTab = 'read' | 'edit' | 'history'

export interface TabFacts {
  readonly links: Links
  readonly title: Title
  readonly selected: SelectedTab
  readonly exists: boolean
  /** Whether the other page of the pair, the discussion or its subject, exists. */
  readonly otherExists: boolean
  readonly allowsEdits: boolean
}

/** Tabs of the page and its discussion, then those of its views. */
export function pageTabs(facts: TabFacts, namespaces: Namespaces): readonly (readonly Tab[])[] {
  const { links, title, selected, exists, allowsEdits } = facts
  const key = prefixedKey(title, namespaces)
  const views: Tab[] = []
  const add = (label: string, href: string, tab: SelectedTab): unknown =>
    views.push({ label, href, isSelected: tab === selected })
  if (exists) add(text('tab-read'), links.page(key), 'read')
  if (allowsEdits) add(text('tab-edit'), links.action(key, 'edit'), 'edit')
  else if (exists) add(text('tab-source'), links.action(key, 'edit'), 'edit')
  if (exists) add(text('tab-history'), links.action(key, 'history'), 'history')
  return [pairOf(facts, namespaces), views]
}

/** Every namespace of pages has one for discussions: its number plus one, which is odd. */
function pairOf({ links, title, exists, otherExists }: TabFacts, namespaces: Namespaces): readonly Tab[] {
  const { namespace, dbkey } = title
  const isTalk = namespace % 2 === 1
  const tab = (id: number, label: string): Tab => ({
    label,
    href: links.page(prefixedKey({ namespace: id, dbkey }, namespaces)),
    isSelected: id === namespace,
    isMissing: id === namespace ? !exists : !otherExists,
  })
  const subject = isTalk ? namespace - 1 : namespace
  const pair = [tab(subject, text('tab-page'))]
  if (namespaces.byId(subject + 1) !== undefined) pair.push(tab(subject + 1, text('tab-talk')))
  return pair
}
