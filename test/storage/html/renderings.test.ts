import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  continueDrops,
  dropRendering,
  hasDropsLeft,
  putRendering,
  readBundle,
  readRendering,
  type Rendering,
  renderingTag,
  takeQueued,
  type Use,
} from '../../../src/storage/html/renderings.js'
import type { Applier } from '../../../src/storage/apply/applier.js'
import { renderingTotals } from '../../../src/storage/html/importedHtml.js'
import { writeMeta } from '../../../src/storage/tables/meta.js'
import { packedParts, packInParts, unpackParts } from '../../../src/storage/html/packedHtml.js'
import type { Store } from '../../../src/storage/store.js'
import { digestStore } from '../../../src/storage/verify/digest.js'
import { applyChange } from '../../support/administration.js'
import { htmlIn, madeHtml } from '../../support/outlines.js'
import { page, problems, revision, temporaryStore } from '../../support/store.js'

const CONFIGURATION = Buffer.from('12345678')
const ROOM = 1_000_000

function rendering(
  revisionId: number,
  uses: readonly Use[] = [],
  html = `<body><p>${revisionId}</p></body>`,
): Rendering {
  const fixed = { configuration: CONFIGURATION, madeAt: 100, expiresAt: 0, bundle: Buffer.from('{"a":1}') }
  return {
    ...fixed,
    visibility: 0,
    revisionId,
    ...madeHtml(html),
    uses,
    categories: [],
  }
}

/** A wiki of pages 1, 2, 3 … with a revision each of the same number. */
function wikiOf(titles: readonly string[]): ReturnType<typeof temporaryStore> {
  const wiki = temporaryStore()
  const pages = titles.map((title, n) => page(n + 1, title, [revision(n + 1, `text of ${title}`)]))
  wiki.applier.importPages('made for a test', pages)
  return wiki
}

const keep = (store: Store, made: Rendering, room = ROOM): boolean =>
  store.transactDerived(() => putRendering(store.tables, made, room))
function htmlOf(store: Store, revisionId: number): string | undefined {
  const row = readRendering(store.tables, revisionId, CONFIGURATION)
  return row && htmlIn(row)
}
describe('the menu of languages', () => {
  const menu = { basis: '0123456789abcdef', packed: Buffer.from('a packed menu') }

  test('is kept with its basis beside the HTML', () => {
    const { store } = wikiOf(['Sea'])
    const made = { ...rendering(1), languageMenu: menu }
    expect(keep(store, made)).toBe(true)
    const row = readRendering(store.tables, 1, CONFIGURATION)!
    expect({ basis: row.languageMenu?.basis, text: row.languageMenu?.packed.toString() }).toEqual({
      basis: menu.basis,
      text: 'a packed menu',
    })
    expect(Buffer.compare(row.outline, made.outline)).toBe(0)
    expect(htmlOf(store, 1)).toBe('<body><p>1</p></body>')
  })

  test('is missing in rows of earlier versions, which are used all the same', () => {
    const { store } = wikiOf(['Sea'])
    const made = rendering(1)
    expect(keep(store, made)).toBe(true)
    keepAsLayout(store, 1, 48)
    const read = readRendering(store.tables, 1, CONFIGURATION)!
    expect(read.languageMenu).toBeUndefined()
    expect(Buffer.compare(read.outline, made.outline)).toBe(0)
    expect(htmlOf(store, 1)).toBe('<body><p>1</p></body>')
  })
})

/** Rewrites the row of revision 1 as one of an earlier layout, with a shorter head. */
function keepAsLayout(store: Store, layout: number, headBytes: number): void {
  const row = store.tables.html.getBinary(1)!
  const head = Buffer.from(row.subarray(0, headBytes))
  head[43] = layout
  const changed = Buffer.concat([head, row.subarray(76)])
  store.transactDerived(() => {
    store.tables.html.putSync(1, changed)
    const totals = renderingTotals(store.tables)
    writeMeta(store.tables, 'renderings', { ...totals, bytes: totals.bytes + changed.length - row.length })
  })
}

describe('the shell of a page for readers', () => {
  const menu = { basis: '0123456789abcdef', packed: packInParts(Buffer.from('a menu'), []) }
  const shell = {
    basis: 'fedcba9876543210',
    facts: Buffer.from('"tag"'),
    packed: packInParts(Buffer.from('start and end'), [5]),
  }
  const partsOf = (store: Store): unknown => {
    const row = readRendering(store.tables, 1, CONFIGURATION)!
    const { basis, facts, packed } = row.shell ?? {}
    return {
      menu: row.languageMenu && unpackParts(packedParts(row.languageMenu.packed)).toString(),
      shell: packed && [basis, facts!.toString(), unpackParts(packedParts(packed)).toString()],
      html: htmlOf(store, 1),
    }
  }
  const kept = {
    menu: 'a menu',
    shell: ['fedcba9876543210', '"tag"', 'start and end'],
    html: '<body><p>1</p></body>',
  }

  test('is kept beside the menu and the HTML', () => {
    const { store } = wikiOf(['Sea'])
    expect(keep(store, { ...rendering(1), languageMenu: menu, shell })).toBe(true)
    expect(partsOf(store)).toEqual(kept)
    expect(problems(store)).toEqual([])
  })

  test.each([
    ['of this version', undefined],
    ['of the version without shells', [2, 60] as const],
  ])('comes later into a row %s, and is replaced', (_row, layout) => {
    const { store } = wikiOf(['Sea'])
    const made = { ...rendering(1), languageMenu: menu }
    keep(store, made)
    if (layout !== undefined) keepAsLayout(store, ...layout)
    expect(partsOf(store)).toEqual({ ...kept, shell: undefined })
    const longer = { ...shell, facts: Buffer.from('"a longer tag"') }
    for (const each of [longer, shell]) store.html.keepShell(made, each, ROOM)
    expect(partsOf(store)).toEqual(kept)
    expect(problems(store)).toEqual([])
  })

  test('does not come to other HTML', () => {
    const { store } = wikiOf(['Sea'])
    keep(store, rendering(1))
    store.html.keepShell(rendering(1, [], '<body>other</body>'), shell, ROOM)
    store.html.keepShell(rendering(7), shell, ROOM)
    expect(partsOf(store)).toEqual({ menu: undefined, shell: undefined, html: kept.html })
  })

  test('is found damaged by verify', () => {
    const { store } = wikiOf(['Sea'])
    const packed = new Uint8Array(shell.packed)
    packed[1 + 2 * 12]! ^= 0xff
    keep(store, { ...rendering(1), shell: { ...shell, packed } })
    expect(problems(store)).toEqual([expect.stringContaining('it cannot be unpacked')])
  })
})

const uses = (dbkey: string, kind: Use['kind'], revisionId: number): Use => ({
  namespace: 0,
  dbkey,
  kind,
  revisionId,
})

describe('a revision of which a part was hidden', () => {
  const hide = (applier: Applier, revisionId: number): void => {
    expect(applyChange(applier, { kind: 'hide', revisionId, user: true }).result).toBe('done')
  }

  test('loses its HTML, and with it all that read its page', () => {
    const { store, applier } = wikiOf(['Rose', 'Tulip', 'Weed'])
    keep(store, rendering(1))
    keep(store, rendering(2, [uses('Rose', 'content', 1)]))
    keep(store, rendering(3, [uses('Rose', 'existence', 1)]))
    hide(applier, 1)
    expect([1, 2, 3].map((id) => htmlOf(store, id))).toEqual([undefined, undefined, '<body><p>3</p></body>'])
    expect(problems(store)).toEqual([])
  })

  test('has no HTML kept that was begun before', () => {
    const { store, applier } = wikiOf(['Rose'])
    const before = rendering(1)
    hide(applier, 1)
    expect(keep(store, before)).toBe(false)
    expect(keep(store, { ...before, visibility: 1 })).toBe(true)
  })
})

describe('a page that gets another title', () => {
  test('loses its HTML, which may name the old one, and so does the page that had the title', () => {
    const { store, applier } = wikiOf(['Rose', 'Tulip', 'Weed'])
    for (const id of [1, 2, 3]) keep(store, rendering(id))
    applier.importPages('of a later day', [page(1, 'Tulip', [revision(1, 'text of Rose')])])
    expect([1, 2, 3].map((id) => htmlOf(store, id))).toEqual([undefined, undefined, '<body><p>3</p></body>'])
    expect(problems(store)).toEqual([])
  })
})

describe('a rendering that is kept', () => {
  test('is found with its tag, its time and its bundle', () => {
    const { store } = wikiOf(['Rose'])
    expect(keep(store, rendering(1))).toBe(true)
    expect(htmlOf(store, 1)).toBe('<body><p>1</p></body>')
    expect(readRendering(store.tables, 1, CONFIGURATION)).toMatchObject({
      madeAt: 100,
      expiresAt: 0,
      tag: renderingTag(Buffer.from('<body><p>1</p></body>')),
    })
    expect(readBundle(store.tables, 1)).toBe('{"a":1}')
  })

  test('is not found for another configuration, and takes the place of an older one', () => {
    const { store } = wikiOf(['Rose'])
    keep(store, rendering(1))
    expect(readRendering(store.tables, 1, Buffer.from('87654321'))).toBeUndefined()
    keep(store, rendering(1, [], 'new'))
    expect(htmlOf(store, 1)).toBe('new')
    expect([...store.tables.htmlAge.getKeys({ start: undefined })]).toHaveLength(1)
  })

  test('is no part of the state', () => {
    const { store } = wikiOf(['Rose'])
    const before = digestStore(store)
    keep(store, rendering(1, [uses('Rose', 'content', 1)]))
    expect(digestStore(store)).toBe(before)
    expect(problems(store)).toEqual([])
  })

  test('leaves nothing behind when it is dropped', () => {
    const { store } = wikiOf(['Rose'])
    keep(store, rendering(1, [uses('Rose', 'content', 1), uses('Weed', 'existence', 0)]))
    expect(store.transactDerived(() => dropRendering(store.tables, 1))).toBe(true)
    for (const name of ['html', 'htmlOrigin', 'htmlUse', 'htmlAge'] as const)
      expect(store.tables[name].getKeysCount({ start: undefined })).toBe(0)
  })
})

test('a rendering of an earlier version is made again, and is no fault', () => {
  const { store } = wikiOf(['Rose'])
  keep(store, rendering(1))
  const row = Buffer.from(store.tables.html.getBinary(1)!)
  const old = Buffer.concat([row.subarray(0, 43), Buffer.from('\0<html><body><p>1</p></body></html>')])
  store.transactDerived(() => {
    store.tables.html.putSync(1, old)
    const totals = store.html.totals()
    writeMeta(store.tables, 'renderings', { ...totals, bytes: totals.bytes + old.length - row.length })
  })
  expect(htmlOf(store, 1)).toBeUndefined()
  expect(problems(store)).toEqual([])
  expect(keep(store, rendering(1))).toBe(true)
  expect(htmlOf(store, 1)).toBe('<body><p>1</p></body>')
  expect(problems(store)).toEqual([])
})

describe('room', () => {
  test('is made by letting the oldest go', () => {
    const { store } = wikiOf(['A', 'B', 'C', 'D'])
    const html = (): string => randomBytes(1000).toString('hex')
    for (const id of [1, 2, 3]) keep(store, rendering(id, [], html()))
    const { bytes } = store.html.totals()
    keep(store, rendering(1, [], html()), bytes + 100)
    keep(store, rendering(4, [], html()), bytes + 100)
    expect([1, 2, 3, 4].map((id) => htmlOf(store, id) !== undefined)).toEqual([true, false, true, true])
  })

  test('that is too small for one keeps none', () => {
    const { store } = wikiOf(['A'])
    keep(store, rendering(1), 10)
    expect(htmlOf(store, 1)).toBeUndefined()
  })
})

describe('an edit', () => {
  const edit = (wiki: ReturnType<typeof temporaryStore>, pageId: number, dbkey: string, id: number): void => {
    wiki.applier.importPages('an edit', [page(pageId, dbkey, [revision(id, `text ${id}`)])])
  }

  test('drops what has read the page, and queues it', () => {
    const wiki = wikiOf(['Rose', 'Tulip', 'Box'])
    const { store } = wiki
    keep(store, rendering(1, [uses('Box', 'content', 3)]))
    keep(store, rendering(2, [uses('Box', 'existence', 3)]))
    edit(wiki, 3, 'Box', 10)
    expect(htmlOf(store, 1)).toBeUndefined()
    expect(htmlOf(store, 2)).toBeDefined()
    expect(store.transactDerived(() => takeQueued(store.tables, 10))).toEqual([1])
    expect(store.transactDerived(() => takeQueued(store.tables, 10))).toEqual([])
  })

  test('that makes a page drops what has looked for it in vain', () => {
    const wiki = wikiOf(['Rose'])
    const { store } = wiki
    keep(store, rendering(1, [uses('Weed', 'existence', 0)]))
    edit(wiki, 5, 'Weed', 10)
    expect(htmlOf(store, 1)).toBeUndefined()
  })

  test('that renames a page drops what has seen it under either title', () => {
    const wiki = wikiOf(['Rose', 'Tulip', 'Weed'])
    const { store } = wiki
    keep(store, rendering(1, [uses('Weed', 'existence', 3)]))
    keep(store, rendering(2, [uses('Herb', 'existence', 0)]))
    wiki.applier.importPages('a rename', [page(3, 'Herb', [revision(3, 'text of Weed')])])
    expect([htmlOf(store, 1), htmlOf(store, 2)]).toEqual([undefined, undefined])
  })

  test('while HTML is being made keeps it from being kept', () => {
    const wiki = wikiOf(['Rose', 'Box'])
    const made = rendering(1, [uses('Box', 'content', 2), uses('Weed', 'existence', 0)])
    edit(wiki, 2, 'Box', 10)
    expect(keep(wiki.store, made)).toBe(false)
    expect(htmlOf(wiki.store, 1)).toBeUndefined()
  })

  test('of a page that very many use drops them in parts', () => {
    const count = 1200
    const wiki = wikiOf([...Array.from({ length: count }, (_, n) => `Page ${n}`), 'Box'])
    const { store } = wiki
    store.transactDerived(() => {
      for (let id = 1; id <= count; id++)
        putRendering(store.tables, rendering(id, [uses('Box', 'content', count + 1)]), 10 * ROOM)
    })
    edit(wiki, count + 1, 'Box', 5000)
    const left = (): number => store.tables.html.getKeysCount({ start: undefined })
    expect(left()).toBe(700)
    let parts = 0
    while (hasDropsLeft(store.tables)) {
      store.transact(() => continueDrops(store.tables))
      parts++
    }
    expect([left(), parts]).toEqual([0, 2])
    expect(store.transactDerived(() => takeQueued(store.tables, 2000))).toHaveLength(count)
  })

  test('of two pages that very many use all go, also if both change before the rest is dropped', () => {
    const count = 1200
    const titles = Array.from({ length: count }, (_, n) => `Page ${n}`)
    const wiki = wikiOf([...titles, 'Box', 'Note'])
    const { store } = wiki
    store.transactDerived(() => {
      for (let id = 1; id <= count; id++) {
        const used = id <= count / 2 ? uses('Box', 'content', count + 1) : uses('Note', 'content', count + 2)
        putRendering(store.tables, rendering(id, [used]), 10 * ROOM)
      }
    })
    edit(wiki, count + 1, 'Box', 5000)
    edit(wiki, count + 2, 'Note', 5001)
    while (hasDropsLeft(store.tables)) store.transact(() => continueDrops(store.tables))
    expect(store.tables.html.getKeysCount({ start: undefined })).toBe(0)
  })
})

describe('verify', () => {
  test.each([
    ['lacks parts', '{}', 'its outline lacks a part'],
    ['is no JSON', 'x', 'its outline cannot be read'],
    ['shows the body elsewhere', undefined, 'its outline does not show where its body is'],
  ])('reports an outline that %s', (_name, json, fault) => {
    const { store } = wikiOf(['A'])
    const sound = rendering(1)
    const outline = json === undefined ? madeHtml('<body></body>').outline : Buffer.from(json)
    keep(store, { ...sound, outline })
    expect(problems(store)).toEqual([expect.stringContaining(`HTML of revision 1: ${fault}`)])
  })
})
