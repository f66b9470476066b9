/** Saving through the use case alone: a store, a compute thread and a writer, but no server. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Identity } from '../../src/auth/identities.js'
import { Refusal } from '../../src/domain/refusal.js'
import { accountRights } from '../../src/domain/rights.js'
import { Applier } from '../../src/storage/apply/applier.js'
import type { Entry } from '../../src/storage/entries/entries.js'
import type { Store } from '../../src/storage/store.js'
import { EditConflict, saveEdit, type SavedEdit } from '../../src/wiki/saving.js'
import { requireNewTitle, requireUsableTitle } from '../../src/wiki/titles.js'
import { ComputePool } from '../../src/workers/compute/pool.js'
import { applyChange } from '../support/administration.js'
import { PATIENT } from '../support/patience.js'
import { RENDER_SETTINGS } from '../support/renderSettings.js'
import { page, revision, START, temporaryStore } from '../support/store.js'
import { Following } from '../support/upstream.js'

const ANN: Identity = {
  editor: { id: 1, name: 'Ann' },
  groups: ['*', 'user'],
  rights: accountRights([], { moveGroup: 'user', uploadGroup: 'user' }),
  way: 'bearer',
  anonymous: false,
  csrfToken: undefined,
  hasWriteScope: true,
}
const BASE = 'one\ntwo\nthree\nfour\n'
const LATEST = 'one\ntwo\nthree\nFOUR'

interface Wiki {
  readonly store: Store
  readonly save: (title: string, source: string, baseId?: number) => Promise<SavedEdit>
  readonly textOf: (title: string) => string | undefined
}

/** The page Moon with two revisions, and a locked page Sun. */
function openWiki(): Wiki {
  const { store, applier, dataDir } = temporaryStore()
  applier.importPages('d', [
    page(1, 'Moon', [revision(1, BASE), revision(2, LATEST)]),
    page(2, 'Sun', [revision(3, 'hot')]),
  ])
  applyChange(applier, {
    kind: 'protect',
    namespace: 0,
    dbkey: 'Sun',
    edit: 'sysop',
    create: 'none',
    expires: null,
  })
  const pool = new ComputePool({
    wikis: [{ dataDir, renderSettings: RENDER_SETTINGS }],
    threads: 1,
    taskTimeoutMs: Number(PATIENT.taskTimeoutMs),
    onThreadError: (error) => {
      throw error
    },
  })
  onTestFinished(() => pool.close())
  const context = {
    store,
    pool,
    writer: { write: (entry: Entry) => Promise.resolve(applier.submit(entry)) },
    clock: { nowMs: () => (START + 1000) * 1000 },
  }
  return {
    store,
    save: (title, source, baseId) =>
      saveEdit(context, {
        title: requireUsableTitle(title, store.namespaces()),
        source,
        comment: undefined,
        contentModel: undefined,
        baseId,
        identity: ANN,
      }),
    textOf(title) {
      const { namespace, dbkey } = requireUsableTitle(title, store.namespaces())
      const found = store.getPage(namespace, dbkey)
      return found && store.getText(found.latestId)
    },
  }
}

describe('saveEdit without a server', () => {
  test('is refused in a store that follows another wiki', async () => {
    const { store, save, textOf } = openWiki()
    new Following(store, new Applier(store)).batch({})
    for (const [title, baseId] of [['Mars'], ['Moon', 2]] as const)
      await expect(save(title, 'mine', baseId)).rejects.toMatchObject({ key: 'rest-wiki-is-mirror' })
    expect([textOf('Mars'), textOf('Moon')]).toEqual([undefined, LATEST])
  })

  test('creates a page, signed by the editor and with a summary', async () => {
    const { store, save, textOf } = openWiki()
    const saved = await save('Mars', 'red ~~~')
    expect(saved).toMatchObject({ created: true, pageId: 3, revisionId: 4 })
    expect(textOf('Mars')).toBe('red [[User:Ann|Ann]] ([[User talk:Ann|talk]])')
    expect(store.getRevision(4)).toMatchObject({ timestamp: START + 1000 })
  })

  test('joins an edit of an older revision with what was saved since', async () => {
    const { save, textOf } = openWiki()
    await expect(save('Moon', BASE.replace('one', 'ONE'), 1)).resolves.toMatchObject({ created: false })
    expect(textOf('Moon')).toBe('ONE\ntwo\nthree\nFOUR')
  })

  test('refuses an edit that changes the same line, and tells both sides', async () => {
    const { save, textOf } = openWiki()
    const conflict = await save('Moon', BASE.replace('four', 'vier'), 1).catch((error: unknown) => error)
    if (!(conflict instanceof EditConflict) || conflict.sides === undefined) throw new Error('no conflict')
    expect(conflict.sides).toMatchObject({ baseId: 1, latestId: 2 })
    expect(Buffer.from(conflict.sides.local).toString()).toContain('vier')
    expect(Buffer.from(conflict.sides.remote).toString()).toContain('FOUR')
    expect(textOf('Moon')).toBe(LATEST)
  })

  test.each([
    ['a page that exists, when no base is given', 'Moon', undefined, 'apierror-articleexists'],
    ['a page that does not exist, when a base is given', 'Mars', 1, 'apierror-missingtitle'],
    ['a protected page', 'Sun', 3, 'protectedpagetext'],
    ['a page of the interface', 'MediaWiki:Sidebar', undefined, 'protectednamespace-interface'],
  ])('refuses %s', async (_case, title, baseId, key) => {
    const refusal = await openWiki()
      .save(title, 'new', baseId)
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({ key })
  })
})

test.each([
  ['[', 'invalidtitle'],
  ['Special:Version', 'pagecannotexist'],
])('the title %s is refused', (asked, key) => {
  const { store } = temporaryStore()
  expect(() => requireUsableTitle(asked, store.namespaces())).toThrow(expect.objectContaining({ key }))
})

test('no page can be created under a title of another wiki', () => {
  const { store } = temporaryStore()
  expect(() => requireNewTitle('mw:Moon', store.namespaces(), store.interwiki())).toThrow(Refusal)
})
