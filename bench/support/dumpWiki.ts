/** A wiki in memory for the preprocessor, made from texts or from the latest revisions of a dump. */
import { EXTENSION_TAGS } from '../../src/domain/extensionTags.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { titleFromDump, type Title } from '../../src/domain/title.js'
import { openDump } from '../../src/dump/openDump.js'
import { readDump } from '../../src/dump/readDump.js'
import { type PageFacts, type WikiPage, type WikiSource } from '../../src/render/preprocessor/source.js'

export interface MemoryWiki {
  readonly source: WikiSource
  readonly pages: readonly (WikiPage & PageFacts)[]
}

interface NamedText {
  readonly title: Title
  readonly text: string
  readonly contentModel: string
}

const NOW = Date.UTC(2026, 2, 14) / 1000
const NOTHING = { pages: 0, articles: 0, edits: 0, files: 0, users: 0, activeUsers: 0, admins: 0 }

export function wikiOf(texts: readonly NamedText[], namespaces = new Namespaces(DEFAULT_SITE)): MemoryWiki {
  const pages = texts.map(({ title, text, contentModel }, index) => {
    const revision = { id: index + 1, timestamp: NOW, userName: 'Ann', sizeBytes: Buffer.byteLength(text) }
    return { title, id: index + 1, text, contentModel, revision }
  })
  const byKey = new Map(pages.map((page) => [keyOf(page.title), page]))
  const source: WikiSource = {
    site: {
      name: 'Moonbase',
      language: 'en',
      namespaces,
      server: 'https://wiki.example',
      scriptPath: '/w',
      articlePath: '/wiki/$1',
      version: '1.39.17',
      timeZone: 'UTC',
      extensionTags: EXTENSION_TAGS,
      wordAliases: new Map(),
      specialPages: new Map(),
      stringFunctions: true,
      localDigits: true,
    },
    now: NOW,
    readPage: (title) => byKey.get(keyOf(title)),
    pageExists: (title) => byKey.has(keyOf(title)),
    fileUrl: () => undefined,
    fileFacts: () => undefined,
    pageTitle: () => undefined,
    interwikiMap: () => [],
    interwikiUrl: () => undefined,
    statistics: () => NOTHING,
    pagesInNamespace: () => 0,
    usersInGroup: () => 0,
    protection: () => ({ edit: undefined, create: undefined, expires: undefined }),
    categorySize: () => 0,
  }
  return { source, pages }
}

/** The latest revision of every page of a dump. */
export async function wikiOfDump(dump: string): Promise<MemoryWiki> {
  const opened = await openDump(dump)
  const texts: NamedText[] = []
  let namespaces = new Namespaces(DEFAULT_SITE)
  try {
    for await (const event of readDump(opened)) {
      if (event.type === 'site') namespaces = new Namespaces(event.site)
      if (event.type !== 'page') continue
      const named = titleFromDump(event.page.title, event.page.namespace, namespaces)
      const revision = event.page.revisions.at(-1)
      if (!named.ok || revision?.text === undefined || !event.page.last) continue
      texts.push({ title: named.title, text: revision.text, contentModel: revision.contentModel })
    }
  } finally {
    await opened.close()
  }
  return wikiOf(texts, namespaces)
}

function keyOf({ namespace, dbkey }: Title): string {
  return `${namespace}:${dbkey}`
}
