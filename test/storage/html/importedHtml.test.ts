/** HTML that came from outside: when it is kept, and when it goes. */
import { describe, expect, test } from 'vitest'
import type { HtmlVerdict, IncomingHtml } from '../../../src/storage/html/importedHtml.js'
import { packHtml } from '../../../src/storage/html/importedHtml.js'
import {
  putRendering,
  readRendering,
  type Rendering,
  renderingTag,
} from '../../../src/storage/html/renderings.js'
import type { Store } from '../../../src/storage/store.js'
import { digestStore } from '../../../src/storage/verify/digest.js'
import { writeMeta } from '../../../src/storage/tables/meta.js'
import { applyChange } from '../../support/administration.js'
import { madeHtml } from '../../support/outlines.js'
import { page, problems, revision, sha1, START, temporaryStore } from '../../support/store.js'

const CONFIGURATION = Buffer.from('12345678')
const BOX = { namespace: 10, dbkey: 'Box' }

/** A wiki of Rose (revisions 1 and 2), Tulip (3) and Template:Box (4). */
function garden(): ReturnType<typeof temporaryStore> {
  const wiki = temporaryStore()
  wiki.applier.importPages('made for a test', [
    page(1, 'Rose', [revision(1, 'bud'), revision(2, 'red')]),
    page(2, 'Tulip', [revision(3, 'yellow')]),
    page(3, 'Box', [revision(4, 'box')], { namespace: 10 }),
  ])
  return wiki
}

const incoming = (parts: Partial<IncomingHtml> = {}, html = '<p>red'): IncomingHtml => ({
  pageId: 1,
  title: { namespace: 0, dbkey: 'Rose' },
  revisionId: 2,
  sha1: Buffer.from(sha1('red'), 'hex'),
  templates: [BOX],
  origin: 'snapshot',
  version: [2, 8, 0],
  madeAt: 100,
  html: packHtml(html),
  ...parts,
})

const take = (store: Store, parts: Partial<IncomingHtml> = {}, html?: string): HtmlVerdict =>
  store.html.import([incoming(parts, html)])[0]!

function rendering(revisionId: number, parts: Partial<Rendering> = {}): Rendering {
  const fixed = { configuration: CONFIGURATION, madeAt: 100, expiresAt: 0, bundle: Buffer.from('{}') }
  const made = madeHtml(`<body><p>${revisionId}</p></body>`)
  return { ...fixed, ...made, visibility: 0, revisionId, uses: [], categories: [], ...parts }
}

const keep = (store: Store, made: Rendering, room = 1_000_000): boolean =>
  store.transactDerived(() => putRendering(store.tables, made, room))
const kept = (store: Store, revisionId: number) => readRendering(store.tables, revisionId, CONFIGURATION)

describe('HTML from outside', () => {
  test('is kept for the latest revision, in place of our rendering', () => {
    const { store } = garden()
    keep(store, rendering(2))
    const generation = store.refresh()
    expect(take(store)).toBe('kept')
    expect(store.html.getImported(2)).toEqual({
      origin: 'snapshot',
      version: [2, 8, 0],
      madeAt: 100,
      tag: renderingTag(Buffer.from('<p>red')),
      html: '<p>red',
    })
    expect(kept(store, 2)).toBeUndefined()
    expect(store.refresh()).toBeGreaterThan(generation)
    expect(problems(store)).toEqual([])
  })

  test('changes nothing when it comes again, and is replaced by other HTML', () => {
    const { store } = garden()
    take(store)
    const totals = store.html.totals()
    expect(take(store)).toBe('known')
    expect(store.html.totals()).toEqual(totals)
    expect(take(store, { templates: [] }, '<p>dark red')).toBe('kept')
    expect(store.html.getImported(2)?.html).toBe('<p>dark red')
    expect(store.html.totals().imported).toBe(1)
    expect(problems(store)).toEqual([])
  })

  test.each<[string, Partial<IncomingHtml>, HtmlVerdict]>([
    ['an unknown title', { title: { namespace: 0, dbkey: 'Weed' } }, 'no-page'],
    ['a title of another page', { title: { namespace: 0, dbkey: 'Tulip' } }, 'other-page'],
    ['an older revision', { revisionId: 1, sha1: undefined }, 'other-revision'],
    ['a revision that is not here', { revisionId: 9 }, 'other-revision'],
    ['a revision with another text', { sha1: Buffer.from(sha1('blue'), 'hex') }, 'other-revision'],
  ])('is not kept for %s', (_case, parts, verdict) => {
    const { store } = garden()
    expect(take(store, parts)).toBe(verdict)
    expect(store.html.totals().imported).toBe(0)
  })

  test('is not kept for an edit made here, whose id the other wiki uses for another edit', () => {
    const { store, applier } = garden()
    const facts = { id: 'a'.repeat(32), time: START, namespace: 0, dbkey: 'Weed' }
    const text = { comment: '', minor: false, contentModel: 'wikitext', text: 'red' }
    const editor = { id: null, name: '127.0.0.1' }
    const verdict = applier.submit({ kind: 'create', ...facts, ...text, editor })
    if (verdict.result !== 'saved') throw new Error(verdict.result)
    const { pageId, revisionId } = verdict
    expect(take(store, { pageId, revisionId, title: { namespace: 0, dbkey: 'Weed' } })).toBe('other-revision')
  })

  test('is not kept for a hidden text', () => {
    const { store, applier } = garden()
    applier.importPages('hidden', [page(5, 'Secret', [revision(9, undefined)])])
    const secret = { pageId: 5, revisionId: 9, title: { namespace: 0, dbkey: 'Secret' }, sha1: undefined }
    expect(take(store, secret)).toBe('hidden')
  })

  test('stays out of the digest', () => {
    const { store } = garden()
    const before = digestStore(store)
    take(store)
    expect(digestStore(store)).toBe(before)
  })
})

describe('beside HTML from outside', () => {
  test('our own rendering is not kept', () => {
    const { store } = garden()
    take(store)
    expect(keep(store, rendering(2))).toBe(false)
    expect(keep(store, rendering(3))).toBe(true)
  })

  test('its cleaned form is kept with its version, as long as it was made of that HTML', () => {
    const { store } = garden()
    take(store)
    const imported = { tag: store.html.getImported(2)!.tag, version: [2, 8, 0] } as const
    expect(keep(store, rendering(2, { imported }))).toBe(true)
    expect(kept(store, 2)?.version).toBe(0x020800)
    take(store, {}, '<p>dark red')
    expect(kept(store, 2)).toBeUndefined()
    expect(keep(store, rendering(2, { imported }))).toBe(false)
    expect(keep(store, rendering(3, { imported }))).toBe(false)
    expect(problems(store)).toEqual([])
  })

  test('lack of room drops renderings alone', () => {
    const { store } = garden()
    take(store)
    keep(store, rendering(3))
    keep(store, rendering(4), 1)
    expect([kept(store, 3), kept(store, 4)]).toEqual([undefined, undefined])
    expect(store.html.getImported(2) !== undefined).toBe(true)
    expect(problems(store)).toEqual([])
  })
})

describe('HTML from outside goes', () => {
  const changes: [string, (wiki: ReturnType<typeof temporaryStore>) => void][] = [
    [
      'when its page changes',
      ({ applier }) => applier.importPages('x', [page(1, 'Rose', [revision(9, 'white')])]),
    ],
    [
      'when its page gets another title',
      ({ applier }) => applier.importPages('x', [page(1, 'Rosa', [revision(2, 'red')])]),
    ],
    [
      'when another page takes its title',
      ({ applier }) => applier.importPages('x', [page(8, 'Rose', [revision(9, 'white')])]),
    ],
    [
      'when a part of its revision is hidden',
      ({ applier }) => void applyChange(applier, { kind: 'hide', revisionId: 2, user: true }),
    ],
    [
      'when a template in it changes',
      ({ applier }) => applier.importPages('x', [page(3, 'Box', [revision(9, 'bin')], BOX)]),
    ],
    [
      'when a template in it goes',
      ({ applier }) => applier.importPages('x', [page(3, 'Bin', [revision(4, 'box')], { namespace: 10 })]),
    ],
  ] as const
  test.each(changes)('%s', (_case, change) => {
    const wiki = garden()
    const { store } = wiki
    take(store)
    const imported = { tag: store.html.getImported(2)!.tag, version: [2, 8, 0] } as const
    keep(store, rendering(2, { imported }))
    change(wiki)
    expect(store.html.getImported(2) !== undefined).toBe(false)
    expect(kept(store, 2)).toBeUndefined()
    expect(store.html.totals()).toMatchObject({ imported: 0, importedBytes: 0, bytes: 0 })
    expect(problems(store)).toEqual([])
  })

  test('but stays when its page is protected, which shows in our own HTML', () => {
    const { store, applier } = garden()
    take(store)
    keep(store, rendering(3, { uses: [{ namespace: 0, dbkey: 'Rose', kind: 'content', revisionId: 2 }] }))
    const levels = { edit: 'sysop', create: 'none', expires: null } as const
    expect(applyChange(applier, { kind: 'protect', namespace: 0, dbkey: 'Rose', ...levels }).result).toBe(
      'done',
    )
    expect(store.html.getImported(2) !== undefined).toBe(true)
    expect(kept(store, 3)).toBeUndefined()
    expect(problems(store)).toEqual([])
  })

  test('but stays when another page changes, or a template comes after it', () => {
    const { store, applier } = garden()
    take(store, { templates: [BOX, { namespace: 10, dbkey: 'Late' }] })
    applier.importPages('x', [
      page(2, 'Tulip', [revision(9, 'red')]),
      page(7, 'Late', [revision(10, 'late')], { namespace: 10 }),
    ])
    expect(store.html.getImported(2) !== undefined).toBe(true)
    applier.importPages('x', [page(7, 'Late', [revision(11, 'later')], { namespace: 10 })])
    expect(store.html.getImported(2) !== undefined).toBe(false)
    expect(problems(store)).toEqual([])
  })
})

describe('verify finds', () => {
  const damages: [string, (store: Store) => void, RegExp][] = [
    [
      'HTML of another revision than the latest',
      ({ tables }) => tables.importedHtml.putSync(1, tables.importedHtml.getBinary(2)!),
      /imported HTML of revision 1: it is not of the latest/,
    ],
    [
      'HTML that is not that of its tag',
      ({ tables }) => {
        const row = Buffer.from(tables.importedHtml.getBinary(2)!)
        row[8]! ^= 1
        tables.importedHtml.putSync(2, row)
      },
      /imported HTML of revision 2: its tag/,
    ],
    [
      'HTML that cannot be unpacked',
      ({ tables }) => tables.importedHtml.putSync(2, tables.importedHtml.getBinary(2)!.subarray(0, -3)),
      /imported HTML of revision 2: it cannot be read/,
    ],
    [
      'wrong totals',
      ({ tables, html }) => writeMeta(tables, 'renderings', { ...html.totals(), importedBytes: 5 }),
      /HTML: importedBytes says 5/,
    ],
    [
      'a use that is missing',
      ({ tables }) => {
        for (const key of [...tables.htmlUse.getKeys({ start: undefined })]) tables.htmlUse.removeSync(key)
      },
      /HTML of revision 2: a page that it uses does not know it/,
    ],
    [
      'a use too many',
      ({ tables }) => tables.htmlUse.putSync([1, 2, 3], Buffer.from([4])),
      /htmlUse: 3 uses, but the HTML accounts for 2/,
    ],
    [
      'a rendering whose tag is wrong',
      (store) => keep(store, rendering(3, { tag: 'a'.repeat(32) })),
      /HTML of revision 3: its tag/,
    ],
    [
      'a rendering without its age',
      (store) => {
        keep(store, rendering(3))
        store.tables.htmlAge.removeSync([0, 1])
      },
      /HTML of revision 3: its age leads elsewhere/,
    ],
    [
      'a rendering without its origin',
      (store) => {
        keep(store, rendering(3))
        store.tables.htmlOrigin.removeSync(3)
      },
      /HTML of revision 3: it has no row of its origin/,
    ],
  ] as const
  test.each(damages)('%s', (_case, damage, problem) => {
    const { store } = garden()
    take(store)
    store.transactDerived(() => damage(store))
    expect(problems(store).join('\n')).toMatch(problem)
  })
})
