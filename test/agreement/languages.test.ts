/**
 * Follows a running MediaWiki, and compares what readers of both see: title, text, contents and categories of each page,
 * in each variant of the wiki's language. MEDIAWIKI is the URL of its `rest.php`, as for `agreement.test.ts`. The wiki
 * may be in any language; those of `languagePages.ts` have texts of their own. Anonymous users may edit everything and
 * upload files there, and it has the extensions Cite, ParserFunctions, Poem and Scribunto.
 *
 * Left out: messages, which are English here, and what docs/mediawiki.md says of variants.
 */
import { createRequire } from 'node:module'
import { beforeAll, describe, expect, test } from 'vitest'
import { MODULE } from '../../src/domain/namespaceIds.js'
import { variantsOf } from '../../src/domain/variants.js'
import { convert } from '../../src/language/variants/conversion.js'
import { conversionOf } from '../../src/language/variants/conversions.js'
import { temporaryFolder } from '../conformance/garden.js'
import { run, startProcess } from '../support/command.js'
import { authoredPages, type AuthoredPage, type OwnWords, PICTURE } from './languagePages.js'

const MEDIAWIKI = process.env['MEDIAWIKI']?.replace(/\/rest\.php\/?$/, '')
const note = MEDIAWIKI === undefined ? ' (skipped: MEDIAWIKI names none)' : ''
const TIMEOUT_MS = 3_600_000
const TOKEN = '+\\'
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

interface Shown {
  readonly title: string
  readonly text: string
  readonly contents: readonly string[]
  categories: readonly string[]
}

describe.skipIf(MEDIAWIKI === undefined)(
  `a reader sees what a MediaWiki shows${note}`,
  { timeout: TIMEOUT_MS },
  () => {
    let words: SiteWords
    let pages: AuthoredPage[]
    let ours: string

    beforeAll(async () => {
      words = await SiteWords.of()
      pages = authoredPages(words)
      await upload()
      for (const { title, text } of pages) await edit(title, text)
      // The note on a module's documentation is a message.
      pages = pages.filter(({ title }) => !title.startsWith(`${words.namespace(MODULE)[0]}:`))
      const dataDir = temporaryFolder()
      const follow = run(
        'follow',
        '--data-dir',
        dataDir,
        '--upstream',
        `${MEDIAWIKI}/api.php`,
        '--once',
        '--files',
        'contents',
      )
      expect(await follow.exit, follow.output.stderr).toBe(0)
      ours = `http://127.0.0.1:${await startProcess(dataDir)}`
    }, TIMEOUT_MS)

    test('on every page, in every variant', async () => {
      const { language } = words
      const differences: string[] = []
      for (const variant of new Set([language, ...variantsOf(language)])) {
        const added = await trackingCategories(language, variant)
        for (const { title } of pages) {
          const path = encodeURIComponent(title)
          const [one, other] = await Promise.all([
            read(`${ours}/wiki/${path}?redirect=no&variant=${variant}`, OURS),
            read(
              `${MEDIAWIKI}/index.php?title=${path}&redirect=no&variant=${variant}&useskin=monobook`,
              THEIRS,
            ),
          ])
          other.categories = other.categories.filter((name) => !added.has(name))
          for (const part of ['title', 'text', 'contents', 'categories'] as const) {
            const [our, their] = [one[part], other[part]].map((shown) => String(shown))
            if (our !== their) differences.push(`${variant} ${title} ${part}\n  ${apart(our!, their!)}`)
          }
        }
      }
      expect(differences).toEqual([])
    })
  },
)

/** What a wiki's answer about itself says of its words. */
class SiteWords implements OwnWords {
  readonly language: string
  readonly #names = new Map<number, string[]>()
  readonly #magic = new Map<string, string[]>()
  readonly #special = new Map<string, string[]>()

  private constructor(query: SiteInfo) {
    this.language = query.general.lang
    for (const { id, name } of Object.values(query.namespaces)) this.#names.set(id, [name])
    for (const { id, alias } of query.namespacealiases) this.#names.get(id)?.push(alias)
    for (const { name, aliases } of query.magicwords) this.#magic.set(name, aliases)
    for (const { realname, aliases } of query.specialpagealiases) this.#special.set(realname, aliases)
  }

  static async of(): Promise<SiteWords> {
    const siprop = 'general|namespaces|namespacealiases|magicwords|specialpagealiases'
    const answer = await api({ action: 'query', meta: 'siteinfo', siprop })
    return new SiteWords((answer as { readonly query: SiteInfo }).query)
  }

  namespace(id: number): readonly string[] {
    return this.#names.get(id) ?? []
  }

  magic(id: string): readonly string[] {
    return this.#magic.get(id) ?? []
  }

  special(id: string): string {
    return this.#special.get(id)?.[0] ?? id
  }
}

interface SiteInfo {
  readonly general: { readonly lang: string }
  readonly namespaces: Readonly<Record<string, { readonly id: number; readonly name: string }>>
  readonly namespacealiases: readonly { readonly id: number; readonly alias: string }[]
  readonly magicwords: readonly { readonly name: string; readonly aliases: string[] }[]
  readonly specialpagealiases: readonly { readonly realname: string; readonly aliases: string[] }[]
}

async function api(fields: Readonly<Record<string, string | Blob>>): Promise<unknown> {
  const body = new FormData()
  for (const [name, value] of Object.entries({ ...fields, format: 'json', formatversion: '2' }))
    body.append(name, value)
  const response = await fetch(`${MEDIAWIKI}/api.php`, { method: 'POST', body })
  return response.json()
}

/** Names of the categories that a MediaWiki adds to pages by itself. This server has fewer, and knows no local names. */
async function trackingCategories(language: string, variant: string): Promise<Set<string>> {
  const ammessages = 'broken-file-category|nonnumeric-formatnum|hidden-category-category'
  const answer = await api({ action: 'query', meta: 'allmessages', ammessages, amlang: language })
  const { allmessages } = (answer as { readonly query: { readonly allmessages: readonly Message[] } }).query
  return new Set(allmessages.flatMap(({ content }) => [content, convert(content, conversionOf(variant))]))
}

interface Message {
  readonly content: string
}

async function edit(title: string, text: string): Promise<void> {
  const answer = await api({ action: 'edit', title, text, token: TOKEN })
  expect(answer, title).toMatchObject({ edit: { result: 'Success' } })
}

async function upload(): Promise<void> {
  const file = new Blob([Buffer.from(PIXEL, 'base64')], { type: 'image/png' })
  const answer = await api({ action: 'upload', filename: PICTURE, file, ignorewarnings: '1', token: TOKEN })
  expect(JSON.stringify(answer)).toMatch(/Success|fileexists-no-change/)
}

interface Element {
  readonly textContent: string
  remove(): void
  querySelectorAll(selector: string): ArrayLike<Element>
}

const { createDocument } = createRequire(import.meta.url)('domino') as {
  readonly createDocument: (html: string) => Element
}

/** Where a page has its parts, and what readers do not see as its text. */
interface Places {
  readonly title: string
  readonly text: string
  readonly contents: string
  readonly categories: string
  readonly hidden: string
}

/**
 * Style sheets make numbers of links on one of the two sides, and of references, which have the digits 0 to 9 here in
 * any language.
 */
const NO_TEXT = 'style, script, .mw-ref, .reference, .mw-cite-backlink, [rel="mw:referencedBy"]'

const OURS: Places = {
  title: 'main h1',
  text: '.mw-parser-output',
  contents: 'nav.contents li li a, nav.contents li:not(:first-child) > a',
  categories: 'nav.categories li',
  hidden: `${NO_TEXT}, figure[typeof="mw:Image"] > figcaption`,
}
const THEIRS: Places = {
  title: '#firstHeading',
  text: '#mw-content-text > .mw-parser-output',
  contents: '#toc .toctext',
  categories: '#mw-normal-catlinks li',
  hidden: `${NO_TEXT}, .toc, .mw-editsection, .autonumber, .redirectMsg`,
}

/** Begins a line of its own. */
const BLOCK = /<(?:br|d[dt]|div|figcaption|li|p|table|t[dhr])\b/g

async function read(url: string, places: Places): Promise<Shown> {
  const html = await (await fetch(url)).text()
  const document = createDocument(html.replace(BLOCK, ' $&'))
  const all = (selector: string): string[] =>
    Array.from(document.querySelectorAll(selector), (element) => plain(element.textContent))
  const contents = all(places.contents)
  for (const element of Array.from(document.querySelectorAll(places.hidden))) element.remove()
  const [title, text] = [places.title, places.text].map((place) => all(place).join(' '))
  return { title: title!, text: text!, contents, categories: all(places.categories) }
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Both texts from where they part. */
function apart(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const from = Math.max(0, at - 20)
  return `${one.slice(from, at + 60)}\n  ${other.slice(from, at + 60)}`
}
