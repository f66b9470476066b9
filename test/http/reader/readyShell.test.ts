import { describe, expect, test } from 'vitest'
import { encodeOutline, type Outline } from '../../../src/domain/outline.js'
import { latestArticle } from '../../../src/http/reader/articleShell.js'
import { pageFrame } from '../../../src/http/reader/pageFrame.js'
import { makeReadyShell, mayBeReady, readyParts, shellBasis } from '../../../src/http/reader/readyShell.js'
import type { BodyPart } from '../../../src/http/reply/reply.js'
import { unpackParts } from '../../../src/storage/html/packedHtml.js'
import type { ReadyShell } from '../../../src/storage/html/renderingRow.js'
import { pageLanguages } from '../../../src/workers/html/pageLanguages.js'
import { httpParts } from '../../support/httpContext.js'
import { page, revision, START, temporaryStore } from '../../support/store.js'

const OUTLINE: Outline = {
  body: [0, 10],
  headings: [],
  categories: [['Category:Plants', 1]],
  languages: [],
  styles: ['c3R5bGU='],
  lead: 'A flower',
}

/** A wiki with a rose of two revisions, a file and a category. */
function garden(flags: Record<string, string> = {}) {
  const { store, applier } = temporaryStore()
  const site = { name: 'Garden', base: 'https://wiki.example/wiki/Main_Page' }
  applier.submit({ kind: 'settings', id: 'a'.repeat(32), time: START, site })
  applier.importPages('dump', [
    page(1, 'Rose', [revision(1, 'thorns'), revision(2, 'petals')]),
    page(2, 'Rose.png', [revision(3, 'a picture')], { namespace: 6 }),
    page(3, 'Plants', [revision(4, 'plants')], { namespace: 14 }),
  ])
  store.reloadSite()
  const { context, dispatcher } = httpParts(store, { flags })
  const shellOf = (revisionId: number, outline = OUTLINE): ReadyShell | undefined => {
    const made = { revisionId, tag: 'a'.repeat(32), outline: encodeOutline(outline) }
    return makeReadyShell(made, dispatcher.settings(), context)
  }
  const place = () => {
    const wiki = dispatcher.settings()
    return { namespaces: wiki.namespaces, site: context.readerSites.site(wiki) }
  }
  return { store, applier, context, shellOf, place }
}

const textOf = (parts: readonly BodyPart[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : unpackParts([part]).toString())).join('')

describe('a ready shell', () => {
  test('is that of the latest revision of a page alone', () => {
    const { shellOf } = garden()
    expect(shellOf(2)).toBeDefined()
    expect(shellOf(1)).toBeUndefined()
    expect(shellOf(99)).toBeUndefined()
  })

  test('is none for files and categories, which show more than their text', () => {
    const { shellOf } = garden()
    expect([shellOf(3), shellOf(4)]).toEqual([undefined, undefined])
    expect([0, 1, 6, 10, 14].filter((namespace) => mayBeReady({ namespace, dbkey: 'x' }))).toEqual([0, 1, 10])
  })

  test('is none where links of the HTML lead to another wiki', () => {
    expect(garden({ readerLinks: 'upstream' }).shellOf(2)).toBeUndefined()
    expect(garden({ readerLinks: 'here' }).shellOf(2)).toBeDefined()
  })

  test('makes a whole page of a menu and HTML', () => {
    const { shellOf, place, context } = garden()
    const within = { menu: '<nav>MENU</nav>', inside: '<p>HTML</p>' }
    const { etag, policy, parts } = readyParts(shellOf(2)!, within, place(), context)
    const text = textOf(parts)
    expect(text).toMatch(/^<!doctype html>/i)
    expect(text).toMatch(/<\/html>\s*$/)
    expect(text).toContain('<title>Rose')
    expect(text).toContain('content="A flower"')
    expect(text).toMatch(/<nav>MENU<\/nav>[^]*<div class="mw-parser-output"><p>HTML<\/p><\/div>/)
    expect(text.split('MENU').length + text.split('HTML').length).toBe(4)
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    expect(policy).toContain("'sha256-c3R5bGU='")
  })

  test('has an entity tag that its HTML and its outline change', () => {
    const { shellOf, place, context } = garden()
    const tagOf = (outline: Outline): string =>
      readyParts(shellOf(2, outline)!, { menu: '', inside: '' }, place(), context).etag
    expect(tagOf(OUTLINE)).toBe(tagOf({ ...OUTLINE }))
    expect(tagOf({ ...OUTLINE, headings: [[2, 'Leaves', 'Leaves']] })).not.toBe(tagOf(OUTLINE))
  })
})

describe('the basis of a shell', () => {
  test('is that which a request for the page computes', () => {
    const { shellOf, place, store, context } = garden()
    const title = { namespace: 0, dbkey: 'Rose' }
    const frame = pageFrame(title, 'read', place(), context)
    const latest = { title, key: 'Rose', lastChanged: START + 120, frame }
    expect(latestArticle(latest, place()).name).toBe('Rose')
    expect(shellOf(2)!.basis).toBe(shellBasis(latest, pageLanguages(1, store), place(), context))
  })

  test.each([
    [
      'a discussion of the page comes',
      ({ applier }) => {
        applier.importPages('dump', [page(9, 'Rose', [revision(9, 'nice')], { namespace: 1 })])
      },
    ],
    [
      'the wiki gets another name',
      ({ applier }) => {
        applier.submit({ kind: 'settings', id: 'b'.repeat(32), time: START, site: { name: 'Park' } })
      },
    ],
  ] as readonly (readonly [string, (wiki: ReturnType<typeof garden>) => void])[])(
    'changes when %s',
    (_what, change) => {
      const wiki = garden()
      const before = wiki.shellOf(2)!.basis
      expect(wiki.shellOf(2)!.basis).toBe(before)
      change(wiki)
      wiki.store.refresh()
      wiki.store.reloadSite()
      expect(wiki.shellOf(2)!.basis).not.toBe(before)
    },
  )
})
