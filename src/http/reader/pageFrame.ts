/** Parts that all views of a page share: tabs, and the source of the page. */
import { prefixedKey, type Title } from '../../domain/title.js'
import { encodeTitle } from '../../reader/links.js'
import type { ShellView } from '../../reader/shell.js'
import { pageTabs, type SelectedTab } from '../../reader/tabs.js'
import type { HttpContext } from '../routing/route.js'
import type { Visit } from './visit.js'

export interface PageFrame {
  /** Reads nothing from the store. */
  readonly view: () => Pick<ShellView, 'tabs' | 'source'>
  /** Whether the page's discussion exists, or the subject of a discussion. */
  readonly otherExists: boolean
  /** Whether the tabs are still right: another page may have come or gone. */
  readonly isCurrent: () => boolean
}

export function pageFrame(
  title: Title,
  selected: SelectedTab,
  { namespaces, site }: Pick<Visit, 'namespaces' | 'site'>,
  { pages }: Pick<HttpContext, 'pages'>,
  exists = pages.find(title) !== undefined,
): PageFrame {
  const other: Title = { ...title, namespace: title.namespace ^ 1 }
  const otherExists = (): boolean => pages.find(other) !== undefined
  const hadOther = otherExists()
  const { links } = site
  const facts = { links, title, selected, exists, otherExists: hadOther, allowsEdits: site.allowsEdits }
  return {
    view: () => ({
      tabs: pageTabs(facts, namespaces),
      ...(site.upstream !== undefined && {
        source: site.upstream + encodeTitle(prefixedKey(title, namespaces)),
      }),
    }),
    otherExists: hadOther,
    isCurrent: () => otherExists() === hadOther,
  }
}
