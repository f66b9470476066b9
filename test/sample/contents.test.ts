/** The contents that the sample wiki needs, so that readers can try every kind of page and revision. */
import { describe, expect, test } from 'vitest'
import { loadPages, loadSite, type SamplePage, type SampleRevision } from '../../sample/build.mjs'

const pages = loadPages(loadSite())
const revisions = pages.flatMap((page) => page.revisions)

function latestText(page: SamplePage): string {
  return page.revisions.at(-1)!.text
}

/** The revision's text is that of an earlier revision of the page, but not of the one directly before. */
function isRevert(page: SamplePage, index: number): boolean {
  const text = page.revisions[index]!.text
  const earlier = page.revisions.slice(0, index)
  return earlier.some((revision) => revision.text === text) && earlier.at(-1)!.text !== text
}

describe('the sample wiki has', () => {
  const anyPage = (matches: (page: SamplePage) => boolean) => (): boolean => pages.some(matches)
  const anyRevision = (matches: (revision: SampleRevision) => boolean) => (): boolean =>
    revisions.some(matches)
  const inNamespace = (namespace: number) => anyPage((page) => page.namespace === namespace)
  const titleWith = (pattern: RegExp) => anyPage(({ title }) => pattern.test(title))
  const redirects = pages.filter(({ redirectTarget }) => redirectTarget !== null)

  test.each<[what: string, holds: () => boolean]>([
    ['at least 40 pages', () => pages.length >= 40],
    ['at least three redirects', () => redirects.length >= 3],
    [
      'a redirect to a section',
      () => redirects.some((page) => /^#REDIRECT \[\[[^\]]+#/.test(latestText(page))),
    ],
    ['talk pages', inNamespace(1)],
    ['a user page', inNamespace(2)],
    ['pages about the project', inNamespace(4)],
    ['a description of a file', inNamespace(6)],
    ['interface pages', inNamespace(8)],
    ['templates', inNamespace(10)],
    ['help pages', inNamespace(12)],
    ['categories', inNamespace(14)],
    ['a module', anyPage(({ namespace, model }) => namespace === 828 && model === 'Scribunto')],
    ['a css page', anyPage(({ model }) => model === 'css')],
    [
      'a json page',
      anyPage(({ model, revisions: [first] }) => model === 'json' && JSON.parse(first!.text) !== null),
    ],
    ['language links', anyPage((page) => /\[\[zh-hant:/.test(latestText(page)))],
    ['a title with an apostrophe', titleWith(/'/)],
    ['a title with a question mark', titleWith(/\?/)],
    ['a title with a plus sign', titleWith(/\+/)],
    ['a sub page of an article', anyPage(({ namespace, title }) => namespace === 0 && title.includes('/'))],
    ['a title with an accent', titleWith(/é/)],
    ['a title in Cyrillic', titleWith(/\p{Script=Cyrillic}/u)],
    ['a title in Japanese', titleWith(/\p{Script=Hiragana}/u)],
    ['a title in Arabic', titleWith(/\p{Script=Arabic}/u)],
    ['a title in Thai', titleWith(/\p{Script=Thai}/u)],
    ['a title in Devanagari', titleWith(/\p{Script=Devanagari}/u)],
    ['a title in Greek', titleWith(/\p{Script=Greek}/u)],
    ['a long page', anyPage((page) => Buffer.byteLength(latestText(page)) > 13_000)],
    ['a history of more than two segments', anyPage((page) => page.revisions.length > 45)],
    ['minor edits', anyRevision(({ minor }) => minor)],
    ['edits of a bot', anyRevision(({ editor }) => editor === 'HandbookBot')],
    ['anonymous edits over IPv4', anyRevision(({ editor }) => /^192\.0\.2\./.test(editor))],
    ['anonymous edits over IPv6', anyRevision(({ editor }) => /^2001:DB8:/.test(editor))],
    ['a revision without a summary', anyRevision(({ comment }) => comment === '')],
    [
      'a hidden text with a hidden editor',
      anyRevision(({ hidden }) => hidden.includes('text') && hidden.includes('editor')),
    ],
    ['a hidden summary', anyRevision(({ hidden }) => hidden.includes('comment'))],
    ['a page that was blanked', anyRevision(({ text }) => text === '')],
    ['reverts', anyPage((page) => page.revisions.some((_revision, index) => isRevert(page, index)))],
  ])('%s', (_what, holds) => {
    expect(holds()).toBe(true)
  })

  test('several registered and several anonymous editors', () => {
    const editors = (registered: boolean) =>
      new Set(
        revisions.filter(({ editorId }) => (editorId !== null) === registered).map(({ editor }) => editor),
      )
    expect(editors(true).size).toBeGreaterThanOrEqual(6)
    expect(editors(false).size).toBeGreaterThanOrEqual(3)
  })

  test('revision ids that rise with time, within 2025 and the first ten months of 2026', () => {
    const byId = [...revisions].sort((a, b) => a.id - b.id).map(({ timestamp }) => timestamp)
    expect(byId).toEqual([...byId].sort())
    expect(byId[0]! >= '2025-01-01').toBe(true)
    expect(byId.at(-1)! < '2026-11-01').toBe(true)
  })

  test('texts in Unicode normal form C without blanks at their ends', () => {
    expect(revisions.filter(({ text }) => text !== text.normalize('NFC') || text !== text.trim())).toEqual([])
    expect(pages.filter(({ title }) => title !== title.normalize('NFC'))).toEqual([])
  })
})

