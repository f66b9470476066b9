/** A small wiki in memory, for tests of the preprocessor. */
import { EXTENSION_TAGS } from '../../../src/domain/extensionTags.js'
import { Namespaces } from '../../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../../src/domain/site.js'
import { parseTitle, type Title } from '../../../src/domain/title.js'
import {
  preprocess,
  Preprocessor,
  type PageExpansion,
  type PreprocessorOptions,
} from '../../../src/render/preprocessor/preprocessor.js'
import {
  type PageFacts,
  type SiteFacts,
  type TitleProtection,
  type WikiPage,
  type WikiSource,
} from '../../../src/render/preprocessor/source.js'

/** Saturday, 14 March 2026, 15:09:26 UTC */
export const NOW = Date.UTC(2026, 2, 14, 15, 9, 26) / 1000

const MODULES = [
  { id: 828, name: 'Module', case: 'first-letter' },
  { id: 829, name: 'Module talk', case: 'first-letter' },
] as const
const NAMES = new Namespaces({
  ...DEFAULT_SITE,
  namespaces: [
    ...DEFAULT_SITE.namespaces.map((namespace) =>
      namespace.id === 4 || namespace.id === 5
        ? { ...namespace, name: namespace.name.replace('Project', 'Moonbase') }
        : namespace,
    ),
    ...MODULES,
  ],
})

const SITE: SiteFacts = {
  name: 'Moonbase',
  language: 'en',
  namespaces: NAMES,
  server: 'https://wiki.example',
  scriptPath: '/w',
  articlePath: '/wiki/$1',
  version: '1.39.17',
  timeZone: 'Europe/Riga',
  extensionTags: EXTENSION_TAGS,
  wordAliases: new Map([
    ['SEITENNAME', 'PAGENAME'],
    ['#wenn', '#if'],
  ]),
  specialPages: new Map(
    ['Search', 'RecentChanges', 'AllPages', 'Log'].map((name) => [name.toLowerCase(), name]),
  ),
  stringFunctions: false,
  localDigits: true,
}

const UNPROTECTED = { edit: undefined, create: undefined, expires: undefined }
/** `Locked` for a day, `Salted` for good, `Moored` against moves for an hour. */
const PROTECTED: ReadonlyMap<string, TitleProtection> = new Map([
  ['Locked', { edit: 'sysop', create: undefined, expires: NOW + 86_400 }],
  ['Salted', { edit: undefined, create: 'user', expires: undefined }],
  ['Moored', { ...UNPROTECTED, edit: 'user', move: 'sysop', moveExpires: NOW + 3600 }],
])

/** Texts by full title. */
export type Pages = Readonly<Record<string, string>>

export function titleFor(text: string): Title {
  const parsed = parseTitle(text, NAMES)
  if (!parsed.ok) throw new Error(`${text} is no title`)
  return parsed.title
}

export function wikiWith(pages: Pages = {}, site: Partial<SiteFacts> = {}): WikiSource {
  const byKey = new Map<string, WikiPage>()
  const titles = new Map<number, Title>()
  for (const [name, text] of Object.entries(pages)) {
    const page = pageOf(byKey.size, text)
    byKey.set(keyOf(titleFor(name)), page)
    titles.set(page.id, titleFor(name))
  }
  return {
    site: { ...SITE, ...site },
    now: NOW,
    readPage: (title) => byKey.get(keyOf(title)),
    pageExists: (title) => byKey.has(keyOf(title)),
    fileUrl: (name) => (name === 'Moon.jpg' ? '/images/9/9a/Moon.jpg' : undefined),
    fileFacts: (name) =>
      name === 'Moon.jpg' ? { width: 640, height: 480, sizeBytes: 12345, mime: 'image/jpeg' } : undefined,
    pageTitle: (id) => titles.get(id),
    interwikiMap: () => [{ prefix: 'de', url: 'https://de.example/wiki/$1', isLocal: true }],
    interwikiUrl: (prefix) => (prefix === 'de' ? 'https://de.example/wiki/$1' : undefined),
    statistics: () => ({
      pages: 12345,
      articles: 1234567,
      edits: 98765,
      files: 7,
      users: 42,
      activeUsers: 3,
      admins: 2,
    }),
    pagesInNamespace: (namespace) => namespace * 1000,
    usersInGroup: (group) => (group === 'sysop' ? 2 : 0),
    protection: ({ dbkey }) => PROTECTED.get(dbkey) ?? UNPROTECTED,
    categorySize: (name, kind) =>
      name === 'Craters' ? { all: 1500, pages: 1400, files: 70, subcats: 30 }[kind] : 0,
  }
}

export function pageNamed(title: string): PageFacts {
  return {
    title: titleFor(title),
    id: 77,
    revision: { id: 1234, timestamp: Date.UTC(2024, 1, 3, 4, 5, 6) / 1000, userName: 'Ann', sizeBytes: 4321 },
  }
}

/** Expands a text as that of a page of a small wiki. */
export function expandOn(
  text: string,
  { title = 'Sample page', pages = {}, site = {}, options = {} }: Partial<Setting> = {},
): PageExpansion {
  return preprocess(text, pageNamed(title), wikiWith(pages, site), options)
}

interface Setting {
  readonly title: string
  readonly pages: Pages
  readonly site: Partial<SiteFacts>
  readonly options: PreprocessorOptions
}

export function substituteOn(text: string, pages: Pages = {}, site: Partial<SiteFacts> = {}): string {
  return new Preprocessor(pageNamed('Sample page'), wikiWith(pages, site)).substitute(text).wikitext
}

function keyOf({ namespace, dbkey }: Title): string {
  return `${namespace}:${dbkey}`
}

function pageOf(index: number, text: string): WikiPage {
  const revision = {
    id: 5000 + index,
    timestamp: NOW - 1000,
    userName: 'Bob',
    sizeBytes: Buffer.byteLength(text),
  }
  return { id: 100 + index, text, contentModel: 'wikitext', revision }
}
