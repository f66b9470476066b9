/** Links, templates and examples of the sample wiki: none of them may lead nowhere by accident. */
import { describe, expect, test } from 'vitest'
import { loadPages, loadSite, type SamplePage } from '../../sample/build.mjs'

const pages = loadPages(loadSite())
const titles = new Set(pages.map(({ title }) => title))
const wikitextPages = pages.filter(({ model }) => model === 'wikitext')

/** Links that the wiki leaves red on purpose. */
const RED_LINKS = ['Parchment', 'Sandbox/Castle']
/** A missing page and an invalid revision id, for examples of errors. */
const ASKED_IN_VAIN = ['Atlantis', 'seven']

function pageTitled(title: string): SamplePage {
  const page = pages.find((candidate) => candidate.title === title)
  if (page === undefined) throw new Error(`the sample wiki has no page ${title}`)
  return page
}

function latestText(page: SamplePage): string {
  return page.revisions.at(-1)!.text
}

/** All matches of a pattern in the latest texts, without what those show literally. */
function matchesInWiki(pattern: RegExp): RegExpExecArray[] {
  return wikitextPages.flatMap((page) => [
    ...latestText(page).replace(/<nowiki>[^]*?<\/nowiki>|<!--[^]*?-->/g, '').matchAll(pattern),
  ])
}

/** The title of a link's target: `Category x` for `:category_x`, with a capital first letter. */
function linkTitle(target: string): string {
  const title = target.replace(/^:/, '').replaceAll('_', ' ').trim()
  return title.slice(0, 1).toUpperCase() + title.slice(1)
}

function isLanguageLink(target: string): boolean {
  return /^[a-z]{2}(-[a-z]+)?:/.test(target)
}

describe('in the sample wiki', () => {
  test('every link leads to a page, apart from those that are red on purpose', () => {
    const targets = matchesInWiki(/\[\[([^\]|#]+)/g).map(([, target]) => target!)
    const red = targets.filter((target) => !isLanguageLink(target)).map(linkTitle).filter((title) => !titles.has(title))
    expect([...new Set(red)].sort()).toEqual(RED_LINKS)
  })

  test('every section that is linked has its heading', () => {
    const links = matchesInWiki(/\[\[([^\]|#]+)#([^\]|]+)/g)
    expect(links.length).toBeGreaterThan(0)
    for (const [, title, section] of links) expect(latestText(pageTitled(title!))).toContain(`== ${section} ==`)
  })

  test('every template and module that is used exists', () => {
    const calls = matchesInWiki(/(?<!\{)\{\{(?!\{)([^{}|\n]+)/g).map(([, name]) => name!.trim())
    const used = calls
      .filter((name) => !/^(?:#(?!invoke:)|DISPLAYTITLE:|formatnum:)/.test(name))
      .map((name) => (name.startsWith('#invoke:') ? name.replace('#invoke', 'Module') : `Template:${name}`))
    expect([...new Set(used)].sort()).toEqual([
      'Module:Boxes',
      'Module:Sizes',
      'Template:Cite book',
      'Template:Coord',
      'Template:Endpoint',
      'Template:Handbook navigation',
      'Template:Hatnote',
      'Template:Infobox',
      'Template:Lang',
      'Template:Lantern Islands',
      'Template:Navbox',
      'Template:Note',
    ])
    expect(used.filter((title) => !titles.has(title))).toEqual([])
  })

  test('every redirect leads to a page', () => {
    expect(pages.flatMap(({ redirectTarget }) => redirectTarget ?? []).filter((title) => !titles.has(title))).toEqual([])
  })

  test('every curl line names a page or revision that exists, but for those that ask in vain', () => {
    const asked = matchesInWiki(/http:\/\/127\.0\.0\.1:8080\/v1\/(page|revision)\/([^/?<'\s]+)/g)
    const revisions = pages.flatMap((page) => page.revisions)
    const ids = new Set(revisions.map(({ id }) => String(id)))
    const unknown = asked
      .map(([, kind, part]) => ({
        kind,
        name: decodeURIComponent(part!).normalize('NFC').replaceAll('_', ' '),
      }))
      .filter(({ kind, name }) => !(kind === 'page' ? titles : ids).has(name))
      .map(({ name }) => name)
    expect(asked.length).toBeGreaterThan(50)
    expect([...new Set(unknown)].sort()).toEqual(ASKED_IN_VAIN)
  })

  test('the answers that the API reference shows have the revisions as they are', () => {
    const examples = [...latestText(pageTitled('API reference')).matchAll(/<pre>(\{[^]*?\})<\/pre>/g)].map(
      ([, json]) => JSON.parse(json!) as { revisions?: unknown[]; id?: number },
    )
    const shown = examples.flatMap(
      (example) => example.revisions ?? (example.id === undefined ? [] : [example]),
    )
    expect(shown).toHaveLength(6)
    for (const revision of shown)
      expect(revisionBodies()).toContainEqual(expect.objectContaining(pickShared(revision)))
  })

  interface RevisionBody {
    readonly id: number
    readonly timestamp: string
    readonly minor: boolean
    readonly size: number
    readonly comment: string
    readonly user: { readonly id: number | null; readonly name: string }
    readonly delta: number | null
  }

  function revisionBodies(): RevisionBody[] {
    return pages.flatMap((page) =>
      page.revisions.map((revision, index) => {
        const size = Buffer.byteLength(revision.text)
        const previous = page.revisions[index - 1]
        return {
          id: revision.id,
          timestamp: revision.timestamp,
          minor: revision.minor,
          size,
          comment: revision.comment,
          user: { id: revision.editorId, name: revision.editor },
          delta: previous === undefined ? null : size - Buffer.byteLength(previous.text),
        }
      }),
    )
  }

  /** The fields that a revision has in a history, without those that only a single revision has. */
  function pickShared(shown: unknown): RevisionBody {
    const { id, timestamp, minor, size, comment, user, delta } = shown as RevisionBody
    return { id, timestamp, minor, size, comment, user, delta }
  }
})

