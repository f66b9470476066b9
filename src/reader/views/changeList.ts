/** Lists of changes that a special page chose: contributions, new pages, changes of linked pages. */
import { type Fragment, type Html, html } from '../html.js'
import { text } from '../messages.js'
import type { LinkTarget } from './comment.js'
import { pager } from './pager.js'
import { changesByDay, type ListedChange } from './recentChanges.js'

export interface ChangeListView {
  /** Above the list. */
  readonly intro?: Fragment
  /** Newest first. */
  readonly revisions: readonly ListedChange[]
  /** What stands for an empty list. */
  readonly nothing: string
  /** Path of the newest part; undefined if this is it. */
  readonly newest: string | undefined
  /** Path of the next part; undefined at the end. */
  readonly older: string | undefined
  readonly linkTo: LinkTarget
}

export function changeList(view: ChangeListView): Html {
  const { intro, revisions, nothing, newest, older } = view
  const parts = pager([
    { label: text('newest'), href: newest },
    { label: text('older-changes'), href: older, rel: 'next' },
  ])
  const empty = older === undefined ? nothing : text('changes-part-empty')
  return html`${intro} ${parts} ${revisions.length === 0 ? html`<p>${empty}</p>` : changesByDay(view)} ${parts}`
}
