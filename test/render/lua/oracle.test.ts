/** Recorded answers of MediaWiki 1.39 with Scribunto: each case has modules, templates, a text, and what became of it. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EXTENSION_TAGS } from '../../../src/domain/extensionTags.js'
import { Namespaces } from '../../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../../src/domain/site.js'
import { parseTitle, type Title } from '../../../src/domain/title.js'
import { Preprocessor } from '../../../src/render/preprocessor/preprocessor.js'
import type { WikiPage, WikiSource } from '../../../src/render/preprocessor/source.js'
import { luaRuntime } from './luaWiki.js'
import { describeShared, readRows } from '../../support/shared.js'

const FILES = ['interface.jsonl.gz', 'realistic.jsonl.gz', 'demo.jsonl.gz'] as const

interface Case {
  readonly id: string
  readonly page: string
  readonly modules: Readonly<Record<string, string>>
  readonly templates: Readonly<Record<string, string>>
  readonly wikitext: string
  readonly expanded: string
  readonly categories?: readonly string[]
}

/** Cases whose error names another place: a line of a library file of that version, which modules never see as theirs. */
const OTHER_PLACES = new Set([
  ...['errors-003', 'frame-075', 'frame-076'],
  ...['loaddata-015', 'require-006', 'require-007', 'require-008'],
])
/** Cases that differ, and why. */
const DIFFERENT: ReadonlyMap<string, string> = new Map([
  ['errors-041', 'ipairs is written in Lua here, so a tail call of it has no place'],
  [
    'metatables-054',
    'os.time is no Lua function here, so its error has the place of the module and not of mw.lua',
  ],
  ['misc-019', 'the error of an expression has its text here; it is empty there'],
])

const ALIASES: Readonly<Record<string, number>> = { modulis: 828, taiss: 10, kategoreja: 14, vikipedeja: 4 }

class AliasedNamespaces extends Namespaces {
  override idByName(name: string): number | undefined {
    return super.idByName(name) ?? ALIASES[name.toLowerCase()]
  }
}

const NAMES = new AliasedNamespaces({
  ...DEFAULT_SITE,
  namespaces: [
    ...DEFAULT_SITE.namespaces.map((namespace) =>
      namespace.id === 4 || namespace.id === 5
        ? { ...namespace, name: namespace.name.replace('Project', 'Oracle Wiki') }
        : namespace,
    ),
    { id: 828, name: 'Module', case: 'first-letter' },
    { id: 829, name: 'Module talk', case: 'first-letter' },
  ],
})

const STANDING_PAGES = {
  'Test page': 'A page to test on.',
  'Lua sample': 'Sample content.\n\nSecond paragraph with {{lc:ABC}}.',
  'Lua redirect': '#REDIRECT [[Lua sample#Part two]]',
  'Help:Lua help': 'Help.',
  'Lua member': '[[Category:Lua cat]]',
  'Lua member two': '[[Category:Lua cat]]',
  'Lua disambiguation': '__DISAMBIG__',
}

const NOW = Date.UTC(2026, 10, 20) / 1000

function titleFor(text: string): Title {
  const parsed = parseTitle(text, NAMES)
  if (!parsed.ok) throw new Error(`${text} is no title`)
  return parsed.title
}

const keyOf = ({ namespace, dbkey }: Title): string => `${namespace}:${dbkey}`

type StoredPages = ReadonlyMap<string, WikiPage & { readonly title: Title }>

function stored(pages: Readonly<Record<string, string>>, firstId: number): StoredPages {
  return new Map(
    Object.entries(pages).map(([name, text], index) => {
      const title = titleFor(name)
      const contentModel = title.namespace === 828 ? 'Scribunto' : 'wikitext'
      const revision = {
        id: firstId + index,
        timestamp: NOW - 1000,
        userName: 'Bob',
        sizeBytes: Buffer.byteLength(text),
      }
      return [keyOf(title), { id: firstId + index, title, text, contentModel, revision }]
    }),
  )
}

function sourceOf(pages: StoredPages): WikiSource {
  return {
    site: {
      name: 'Oracle Wiki',
      language: 'en',
      namespaces: NAMES,
      server: 'http://127.0.0.1:8510',
      scriptPath: '',
      articlePath: '/index.php?title=$1',
      version: '1.39.17',
      timeZone: 'UTC',
      extensionTags: EXTENSION_TAGS,
      wordAliases: new Map(),
      specialPages: new Map(),
      stringFunctions: true,
      localDigits: true,
    },
    now: NOW,
    readPage: (title) => pages.get(keyOf(title)),
    pageExists: (title) => pages.has(keyOf(title)),
    pageTitle: (id) => [...pages.values()].find((page) => page.id === id)?.title,
    fileUrl: () => undefined,
    fileFacts: () => undefined,
    interwikiUrl: (prefix) => (prefix === 'de' ? 'https://de.wiki.example/wiki/$1' : undefined),
    interwikiMap: () => [
      { prefix: 'de', url: 'https://de.wiki.example/wiki/$1', isLocal: true },
      { prefix: 'meta', url: 'https://meta.example/wiki/$1', isLocal: false },
    ],
    statistics: () => ({ pages: 10, articles: 5, edits: 20, files: 0, users: 2, activeUsers: 1, admins: 1 }),
    pagesInNamespace: (wanted) =>
      [...pages.values()].filter(({ title }) => title.namespace === wanted).length,
    usersInGroup: () => 0,
    protection: () => ({ edit: undefined, create: undefined, expires: undefined }),
    categorySize: (name, kind) => (name === 'Lua_cat' ? { all: 2, pages: 2, files: 0, subcats: 0 }[kind] : 0),
  }
}

const modules = luaRuntime({ limits: { timeMs: 7000 }, hasWikibase: false })

function expand(
  { page, wikitext }: Case,
  pages: StoredPages,
): { text: string; categories: readonly string[] } {
  const title = titleFor(page)
  const facts = { title, id: pages.get(keyOf(title))?.id, revision: undefined }
  const preprocessor = new Preprocessor(facts, sourceOf(pages), { modules, limits: { lookups: 100 } })
  const { wikitext: text, categories } = preprocessor.expand(wikitext)
  return { text, categories }
}

/** Braces that nothing expands are written as references here. */
const escaped = (text: string): string => text.replace(/\{{2,}/g, (run) => '&#123;'.repeat(run.length))

function withoutPlaces(text: string): string {
  return text
    .replace(/Lua error in (?!Module:)\S+ at line \d+: /g, 'Lua error: ')
    .replace(/\b(?:mw|package)\.lua:\d+/g, '')
}

describeShared('recorded answers', 'oracle/lua', (folder) => {
  const casesOf = (file: string) => readRows<Case>(join(folder, file))

  describe.each(FILES)('%s', (file) => {
    const cases = casesOf(file)
    const isShared = file !== 'demo.jsonl.gz'
    const shared = isShared
      ? cases.flatMap((one) => Object.entries({ ...one.modules, ...one.templates }))
      : []
    const common = stored({ ...STANDING_PAGES, ...Object.fromEntries(shared) }, 100)

    test.each(cases.map((one) => [one.id, one] as const))('%s', { timeout: 60_000 }, (id, one) => {
      const pages = isShared
        ? common
        : new Map([...common, ...stored({ ...one.modules, ...one.templates }, 10_000)])
      const { text, categories } = expand(one, pages)
      const wanted = escaped(one.expanded)
      if (DIFFERENT.has(id)) return expect(text).not.toBe(wanted)
      if (OTHER_PLACES.has(id)) {
        expect(text).not.toBe(wanted)
        return expect(withoutPlaces(text)).toBe(withoutPlaces(wanted))
      }
      expect(text).toBe(wanted)
      expect(categories.map((name) => name.replaceAll(' ', '_'))).toEqual(
        expect.arrayContaining([...(one.categories ?? [])]),
      )
    })
  })

  test('at least 98 of 100 cases are equal byte for byte', () => {
    const total = FILES.reduce((sum, file) => sum + casesOf(file).length, 0)
    expect((OTHER_PLACES.size + DIFFERENT.size) / total).toBeLessThanOrEqual(0.02)
  })
})
