/** Views escape every text that people wrote. */
import { describe, expect, test } from 'vitest'
import { LocalFormats } from '../../src/domain/localFormats.js'
import { html, trusted, type Html, type PagePart } from '../../src/reader/html.js'
import { Links } from '../../src/reader/links.js'
import { loggedIn, loggedOut, creationForm, loginForm, logoutForm } from '../../src/reader/views/account.js'
import { allPages } from '../../src/reader/views/allPages.js'
import { commentHtml } from '../../src/reader/views/comment.js'
import { comparedLines } from '../../src/reader/views/comparedLines.js'
import { comparisonHead } from '../../src/reader/views/comparison.js'
import { codePreview, editPage, sourcePage, userMenu } from '../../src/reader/views/edit.js'
import { historyList } from '../../src/reader/views/history.js'
import { recentChanges } from '../../src/reader/views/recentChanges.js'
import type { ShownRevision } from '../../src/reader/views/revision.js'
import { searchPage } from '../../src/reader/views/search.js'

const HOSTILE = `"'><img src=x onerror=alert(1)></textarea><script>alert(2)</script>&amp;`
const links = new Links('/en')
const linkTo = (title: string): string => `/wiki/${encodeURIComponent(title)}`

/** Own words for what all lists have. */
const site = {
  words: new Map([
    ['link-diff', HOSTILE],
    ['talk-link', HOSTILE],
    ['minor-edit-title', HOSTILE],
    ['revision-of', `$1 ${HOSTILE}`],
  ] as const),
  language: 'en',
  links,
}
const revision = (parts: Partial<ShownRevision> = {}): ShownRevision => ({
  site,
  links,
  formats: new LocalFormats({ language: 'en' }),
  id: 7,
  key: HOSTILE,
  timestamp: 1_700_000_000,
  user: {
    name: HOSTILE,
    contributions: '/wiki/Special:Contributions/Ada',
    pages: { user: `User:${HOSTILE}`, talk: `User_talk:${HOSTILE}` },
  },
  comment: `/* ${HOSTILE} */ [[${HOSTILE}|${HOSTILE}]] ${HOSTILE}`,
  textHidden: false,
  minor: true,
  bot: true,
  reverted: true,
  isNew: false,
  sizeBytes: 1234,
  delta: -1234,
  ...parts,
})

const HISTORY = { site, links, key: HOSTILE, latestId: 9, limit: 50, hasOlder: true, hasNewer: true, linkTo }
const AREA = {
  namespaces: [{ id: 4, name: HOSTILE }],
  chosen: 4,
  category: HOSTILE,
  inAddress: { namespace: 4 },
} as const
const SEARCH = {
  links,
  area: AREA,
  query: HOSTILE,
  offset: 0,
  limit: 20,
  hasMore: true,
  results: [],
  named: undefined,
}

const joined = (parts: readonly PagePart[]): Html =>
  trusted(
    parts.map((part) => (part instanceof Uint8Array ? Buffer.from(part).toString() : part.text)).join(''),
  )
const ESCAPED = html`${HOSTILE}`
const EDIT = {
  site,
  links,
  key: HOSTILE,
  source: ESCAPED,
  baseId: 1,
  token: HOSTILE,
  summary: HOSTILE,
  minor: true,
  mayMarkMinor: true,
  address: HOSTILE,
  license: { title: HOSTILE },
  result: undefined,
}

describe('texts that people wrote are escaped', () => {
  test.each<[string, Html]>([
    ['a history', historyList({ ...HISTORY, revisions: [revision(), revision({ id: 8 })] })],
    [
      'a comparison',
      comparisonHead({
        ...HISTORY,
        from: revision(),
        to: revision({ id: 9 }),
        between: 2,
        isBetweenCut: false,
      }),
    ],
    [
      'compared lines',
      comparedLines(
        [
          { type: 0, fromLine: 1, lineNumber: 1, text: HOSTILE },
          { type: 1, fromLine: undefined, lineNumber: 2, text: HOSTILE },
          { type: 2, fromLine: 2, text: HOSTILE },
          {
            type: 3,
            fromLine: 3,
            lineNumber: 3,
            text: HOSTILE,
            highlightRanges: [
              { start: 0, length: 5, type: 0 },
              { start: 5, length: 9, type: 1 },
            ],
          },
          { type: 4, fromLine: 4, text: HOSTILE, moveInfo: { id: HOSTILE, linkId: HOSTILE } },
          { type: 5, fromLine: undefined, lineNumber: 9, text: HOSTILE, moveInfo: { id: 'a', linkId: 'b' } },
        ],
        HOSTILE,
      ),
    ],
    [
      'recent changes',
      recentChanges({
        ...HISTORY,
        olderThan: 3,
        isLater: true,
        revisions: [{ ...revision(), title: HOSTILE }],
      }),
    ],
    [
      'a search',
      searchPage({
        ...SEARCH,
        results: [
          {
            key: HOSTILE,
            title: HOSTILE,
            excerpt: 'escaped by the index',
            matchedTitle: HOSTILE,
            description: HOSTILE,
            thumbnail: { url: HOSTILE, width: 1, height: 1 },
          },
        ],
      }),
    ],
    [
      'a search for a missing page',
      searchPage({ ...SEARCH, named: { key: HOSTILE, title: HOSTILE, exists: false, mayCreate: true } }),
    ],
    [
      'all pages',
      allPages({
        links,
        namespaces: [{ id: 0, name: HOSTILE }],
        namespace: 0,
        from: HOSTILE,
        pages: [{ key: HOSTILE, title: HOSTILE }],
        previous: HOSTILE,
        next: HOSTILE,
      }),
    ],
    ['a form to edit', joined(editPage(EDIT).slice(0, -1))],
    ['its fields', joined(editPage(EDIT).slice(-1))],
    ['a preview', joined(codePreview(ESCAPED))],
    ['a source', joined(sourcePage(ESCAPED).slice(0, -1))],
    ['a menu', html`${userMenu(HOSTILE, HOSTILE, site)}${userMenu(undefined, HOSTILE, site)}`],
    [
      'a form to log in',
      loginForm({ links, name: HOSTILE, token: HOSTILE, returnTo: HOSTILE, mayCreate: true }),
    ],
    [
      'a form to create an account',
      creationForm({ links, name: HOSTILE, token: HOSTILE, returnTo: HOSTILE, minLength: 8 }),
    ],
    ['a form to log out', logoutForm({ links, name: HOSTILE, token: HOSTILE, returnTo: HOSTILE })],
    ['notes', html`${loggedIn(HOSTILE, HOSTILE, links)}${loggedOut(HOSTILE, HOSTILE, links)}`],
  ])('in %s', (_name, { text }) => {
    // A text area of the form itself ends at the beginning of its fields.
    expect(text.replace(/^<\/textarea>/, '')).not.toMatch(
      /<(img|script|\/textarea|\/script)\b(?!\s+class="thumbnail")/,
    )
    // Quotation marks end no attribute: each tag has names and quoted values only.
    const tags = text.match(/<[a-z][^>]*>/g) ?? []
    expect(tags.filter((tag) => !/^<[a-z0-9]+(\s+[a-z-]+(="[^"]*")?)*\s*\/?>$/.test(tag))).toEqual([])
  })
})

describe('hidden parts', () => {
  test('give the words that readers know', () => {
    const hidden = revision({ user: undefined, comment: undefined, textHidden: true })
    const { text } = historyList({ ...HISTORY, revisions: [hidden] })
    expect(text).toContain('(username removed)')
    expect(text).toContain('(edit summary removed)')
    expect(text).toContain('(text removed)')
    expect(text).not.toContain('oldid=7')
  })
})

describe('a summary', () => {
  const shown = (comment: string): string =>
    commentHtml(comment, '/wiki/Moon', (title) => `/wiki/${title}`).text

  test.each([
    ['plain <text>', 'plain &lt;text&gt;'],
    [
      'see [[Sun]] and [[Earth|our planet]]',
      'see <a href="/wiki/Sun">Sun</a> and <a href="/wiki/Earth">our planet</a>',
    ],
    ['[[:Category:Stars]]', '<a href="/wiki/Category:Stars">Category:Stars</a>'],
    ['[[a [[b]] c', '[[a <a href="/wiki/b">b</a> c'],
    ['[[]] [[|x]] [x]', '[[]] [[|x]] [x]'],
    [
      '/* Far side */ more',
      '<span dir="auto"><span class="autocomment"><a href="/wiki/Moon#Far_side">→\u200eFar side</a>: </span> more</span>',
    ],
    [
      '/* [[Sun|The]] ”x” */',
      '<span dir="auto"><span class="autocomment"><a href="/wiki/Moon#The_”x”">→\u200e[[Sun|The]] ”x”</a></span></span>',
    ],
    ['/* open', '/* open'],
  ])('%s', (comment, expected) => {
    expect(shown(comment)).toBe(expected)
  })

  test('of any length takes little time', () => {
    for (const part of ['/*', '[[', '[[a', '[[a|', '|]]', "'''"]) {
      const start = performance.now()
      shown(part.repeat(100_000))
      expect(performance.now() - start).toBeLessThan(200)
    }
  })

  test('leaves links that lead nowhere as they are', () => {
    expect(commentHtml('[[de:Mond]]', '/wiki/Moon', () => undefined).text).toBe('[[de:Mond]]')
  })
})

describe('compared lines', () => {
  test('stand in their columns, each with its own words marked', () => {
    const { text } = comparedLines(
      [
        { type: 0, fromLine: 8, lineNumber: 9, text: 'same' },
        {
          type: 3,
          fromLine: 9,
          lineNumber: 10,
          text: 'größe altneu end',
          highlightRanges: [
            { start: 8, length: 3, type: 1 },
            { start: 11, length: 3, type: 0 },
          ],
        },
        { type: 1, fromLine: undefined, lineNumber: 30, text: 'more' },
      ],
      '/wiki/X?diff=2&oldid=1',
    )
    expect(text).toContain('<div dir="auto">größe <del>alt</del> end</div>')
    expect(text).toContain('<div dir="auto">größe <ins>neu</ins> end</div>')
    const numbers = [...text.matchAll(/Line (\d+):/g)].map(([, number]) => Number(number))
    expect(numbers).toEqual([8, 9, 10, 30])
  })

  test('end where a page would be too long', () => {
    const lines = Array.from({ length: 500 }, (_, n) => ({
      type: 1,
      fromLine: undefined,
      lineNumber: n + 1,
      text: 'x'.repeat(20_000),
    }))
    const { text } = comparedLines(lines, '/')
    expect(text.length).toBeLessThan(3.2 * 2 ** 20)
    expect(text).toMatch(/\d+ more lines are not shown/)
  })
})
