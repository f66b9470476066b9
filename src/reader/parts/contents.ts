/** The list of a page's sections. */
import { type Html, html } from '../html.js'
import { encodeFragment } from '../links.js'
import { text, word, wordOf } from '../messages.js'
import type { ReaderSite } from '../site.js'

export interface ContentsEntry {
  /** A section with a higher level than the one before it is a part of it. */
  readonly level: number
  /** Id of the heading. */
  readonly id: string
  /** Text of the heading. */
  readonly text: string
}

interface Section extends ContentsEntry {
  readonly below: Section[]
}

/**
 * A nested list. Links have the path of the page, since fragments alone are relative to the base URL. On small screens
 * it is a sheet that the button opens, which browsers do without a script.
 */
export function contentsList(
  entries: readonly ContentsEntry[],
  path: string,
  site: Pick<ReaderSite, 'words' | 'language'>,
): Html | undefined {
  if (entries.length === 0) return undefined
  return html`<button type="button" class="contents-button" popovertarget="reader-contents" dir="auto">${word(site, 'contents')}</button>
  <nav class="contents" id="reader-contents" popover aria-label="${wordOf(site, 'contents')}">
    <details open>
      <summary lang="en" dir="auto">${word(site, 'contents')}</summary>
      <ul>
        <li><a href="${path}#reader-content" lang="en">${text('contents-top')}</a></li>
        ${items(sectionsOf(entries), path)}
      </ul>
    </details>
  </nav>`
}

function items(sections: readonly Section[], path: string): Html[] {
  return sections.map(({ id, text, below }) => {
    const list = below.length > 0 && html`<ul>${items(below, path)}</ul>`
    return html`<li><a href="${path}#${encodeFragment(id)}" dir="auto">${text}</a>${list}</li>\n`
  })
}

/** Headings have levels from one to six, so nesting is bounded. */
function sectionsOf(entries: readonly ContentsEntry[]): Section[] {
  const roots: Section[] = []
  const open: Section[] = []
  for (const entry of entries) {
    const section = { ...entry, below: [] }
    while (open.length > 0 && open.at(-1)!.level >= entry.level) open.pop()
    ;(open.at(-1)?.below ?? roots).push(section)
    open.push(section)
  }
  return roots
}
