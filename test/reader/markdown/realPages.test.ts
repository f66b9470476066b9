/** Real pages as Markdown: what holds for all of them. */
import { expect, test } from 'vitest'
import { markdownOf, type MarkdownOptions } from '../../../src/reader/markdown/markdown.js'
import { describeShared, readRows } from '../../support/shared.js'
import { TestWiki } from '../../render/support/engine.js'

interface RealPage {
  readonly id: string
  readonly wikitext: string
  readonly html: string
}

const OPTIONS: MarkdownOptions = { form: 'markdown', links: 'titles', notes: 'none', maxBytes: 10_000_000 }
const BODY = /<body[^>]*>([^]*)<\/body>/
const CODE = /^(`{3,}).*\n[^]*?\n\1$|(?<!`)(`+)(?!`)[^]*?(?<!`)\2(?!`)/gm
/** Tags that Markdown has no signs for, and addresses. */
const TAG = /(?<!\\)<(?!br>|\/?su[bp]>|[a-z]+:)[a-z/!?]/i

const bodyOf = (html: string): string => BODY.exec(html)?.[1] ?? html

function check(html: string): void {
  const { text = '', sections } = markdownOf(html, OPTIONS)
  const withoutCode = text.replace(CODE, '')
  expect(TAG.exec(withoutCode)?.input.slice(0, 100)).toBeUndefined()
  expect(withoutCode).not.toMatch(/[\ufdd0-\ufdef]|data-mw|mw-parser|\{\\displaystyle/)
  for (const paragraph of withoutCode.split('\n\n'))
    expect((paragraph.match(/(?<!\\)\*\*/g) ?? []).length % 2, paragraph).toBe(0)
  // Rows of a table have equal numbers of cells.
  for (const table of withoutCode.split('\n\n').filter((block) => block.startsWith('| ')))
    expect(new Set(table.split('\n').map((row) => row.match(/(?<!\\)\|/g)?.length)).size, table).toBe(1)
  // The sections without a higher one make up the page.
  const tops = sections.filter(({ level }, at) =>
    sections.slice(0, at).every((other) => other.level >= level),
  )
  const parts = [0, ...tops.map(({ number }) => number)].map(
    (section) => markdownOf(html, { ...OPTIONS, section }).text,
  )
  expect(parts.filter((part) => part !== '').join('\n\n')).toBe(text)
  // All words are those of readers.
  const words = markdownOf(html, { ...OPTIONS, form: 'text' }).text!
  expect(words.length).toBeGreaterThan(0)
  expect(words.length).toBeLessThan(html.length)
}

describeShared('pages of Wikipedia', 'oracle/html/pages.jsonl.gz', (path) => {
  const pages = readRows<RealPage>(path)
  const wiki = new TestWiki({})

  test.each(pages)('as MediaWiki renders them: $id', ({ html }) => {
    check(bodyOf(html))
  })

  test.each(pages.filter((_, at) => at % 4 === 0))(
    'as this server renders them: $id',
    async ({ wikitext }) => {
      check(bodyOf(await wiki.html(wikitext)))
    },
  )
})
