/** Modules that take a thread past a limit: they fail at once for a while, and no others do. */
// @module-tag hostile
import { describe, expect, onTestFinished, test } from 'vitest'
import { DEFAULT_SITE } from '../../../src/domain/site.js'
import { TIME_OVER } from '../../../src/render/lua/limits.js'
import { unpackParts, packedParts } from '../../../src/storage/html/packedHtml.js'
import { ComputePool } from '../../../src/workers/compute/pool.js'
import { BLOCK_MS, ModuleBlocks, RunningModule } from '../../../src/workers/html/moduleBlocks.js'
import { RenderPool } from '../../../src/workers/html/renderPool.js'
import type { RenderWiki } from '../../../src/workers/html/renderTasks.js'
import { RENDER_SETTINGS } from '../../support/renderSettings.js'
import { page, revision, temporaryStore } from '../../support/store.js'

/** Out of reach on any machine. */
const PATIENT_MS = 900_000
const PAST_ALL_MS = 600_000

const MODULES = {
  Endless: "function p.main() while true do end end\nfunction p.fine() return 'all is well' end",
  Wrap: "function p.main(frame) return 'wrapped ' .. (frame.args[1] or 'nothing') end",
  Short: 'function p.main() for n = 1, 1e6 do end return "short" end',
  // A thousand frames, each with a text of 800 kB, which this program keeps: more than a thread may have.
  Hungry: `function p.main(frame)
    local text, kept = ('ł'):rep(4e5), {}
    for n = 1, 1e3 do kept[n] = frame:newChild{args = {text}} end
  end
  function p.fine() return 'not hungry' end`,
  // A hundred references to one text of 10 MB: their order takes seconds within one instruction.
  Sorting: `function p.main()
    local text, list = ('x'):rep(1e7), {}
    for n = 1, 100 do list[n] = text end
    table.sort(list)
  end
  function p.fine() return 'not sorted' end`,
}
const moduleText = (body: string): string => `local p = {}\n${body}\nreturn p`

const TEXTS = {
  11: '{{#invoke:Endless|main}}',
  12: 'first {{#invoke:Endless|fine}} then {{#invoke:Wrap|main|x}}',
  13: '{{#invoke:Wrap|main|{{#invoke:Endless|main}}}}',
  14: Array.from({ length: 1000 }, (_, n) => `{{#invoke:Short|main|${n}}}`).join(''),
  15: '{{#invoke:Short|main}}',
  16: '{{#invoke:Hungry|main}}',
  17: '{{#invoke:Hungry|fine}} then {{#invoke:Wrap|main|x}}',
  18: '{{#invoke:Sorting|main}}',
  19: '{{#invoke:Sorting|fine}} then {{#invoke:Wrap|main|x}}',
}

interface Rendered {
  readonly html: string
  readonly expiresAt: number
}

interface OpenWiki {
  readonly place: RenderWiki
  readonly moduleBlocks: ModuleBlocks
  /** Errors of threads that broke. */
  readonly broken: Error[]
  readonly render: (id: keyof typeof TEXTS, timeoutMs?: number) => Promise<Rendered>
  readonly editModule: () => void
}

/** A pool of one thread, and a function that renders one of the texts. */
function openWiki({ luaTimeMs }: { readonly luaTimeMs: number }): OpenWiki {
  const { applier, dataDir } = temporaryStore()
  const modules = Object.entries(MODULES)
  const endless = (ids: readonly number[]) =>
    page(1, 'Endless', [...ids.map((id) => revision(id, `${moduleText(MODULES.Endless)} -- ${id}`))], {
      namespace: 828,
    })
  const module = { id: 828, name: 'Module', case: 'first-letter' } as const
  applier.adoptSite({ ...DEFAULT_SITE, namespaces: [...DEFAULT_SITE.namespaces, module] })
  applier.importPages('d', [
    endless([1]),
    ...modules
      .slice(1)
      .map(([name, body], n) => page(n + 2, name, [revision(n + 2, moduleText(body))], { namespace: 828 })),
    ...Object.entries(TEXTS).map(([id, text]) =>
      page(Number(id), `Page_${id}`, [revision(Number(id), text)]),
    ),
  ])
  const place = { dataDir, renderSettings: { ...RENDER_SETTINGS, luaTimeMs, luaMemoryBytes: 256 * 2 ** 20 } }
  const moduleBlocks = new ModuleBlocks()
  const broken: Error[] = []
  const pool = new RenderPool({
    name: 'render',
    maxStretch: 2,
    niceness: 10,
    wikis: [place],
    moduleBlocks,
    threads: 1,
    maxWaitMs: PATIENT_MS,
    onThreadError: (error) => broken.push(error),
    threadCpuTimeMs: () => performance.now(),
  })
  onTestFinished(() => pool.close())
  return {
    ...{ place, moduleBlocks, broken },
    async render(id, timeoutMs = PATIENT_MS) {
      const outcome = await pool.run({ task: 'page', revisionId: id, nowMs: 5000 }, timeoutMs)
      if (outcome.result !== 'rendering') throw new Error(outcome.result)
      const { packedHtml, expiresAt } = outcome.rendering
      return { html: unpackParts(packedParts(Buffer.from(packedHtml))).toString(), expiresAt }
    },
    editModule: () => applier.importPages('d', [endless([1, 20])]),
  }
}

const isBlocked = ({ html, expiresAt }: Rendered): boolean =>
  html.includes(TIME_OVER) && expiresAt > 5 && expiresAt <= 5 + BLOCK_MS / 1000

describe('a module that has ended a thread', () => {
  test('fails at once in all threads, as out of time, and other modules run', async () => {
    const { render, editModule } = openWiki({ luaTimeMs: PAST_ALL_MS })
    expect(await render(15)).toMatchObject({ expiresAt: 0 })
    await expect(render(11, 500)).rejects.toMatchObject({ name: 'TaskTimeoutError', isOverrun: true })
    const found = await render(12)
    expect(isBlocked(found)).toBe(true)
    expect(found.html).toContain('wrapped x')
    expect(found.html).not.toContain('all is well')
    editModule()
    expect(await render(12)).toMatchObject({
      html: expect.stringContaining('all is well') as string,
      expiresAt: 0,
    })
  })

  test('is the one that ran, not the one that asked for its result', async () => {
    const { render } = openWiki({ luaTimeMs: PAST_ALL_MS })
    await render(15)
    await expect(render(13, 500)).rejects.toMatchObject({ isOverrun: true })
    const found = await render(12)
    expect(isBlocked(found)).toBe(true)
    expect(found.html).toContain('wrapped x')
  })
})

test('a module that has taken a thread past its memory fails at once', async () => {
  const { render, broken } = openWiki({ luaTimeMs: PAST_ALL_MS })
  await render(15)
  await expect(render(16)).rejects.toMatchObject({ name: 'RenderThreadError', isOutOfMemory: true })
  expect(broken).toHaveLength(1)
  const found = await render(17)
  expect(isBlocked(found)).toBe(true)
  expect(found.html).toContain('wrapped x')
  expect(found.html).not.toContain('not hungry')
})

describe('compute threads', () => {
  /** Expands one of the texts in a compute thread. */
  function openCompute(
    { place, moduleBlocks }: OpenWiki,
    taskTimeoutMs: number,
  ): (id: number) => Promise<unknown> {
    const pool = new ComputePool({
      ...{ wikis: [place], moduleBlocks, taskTimeoutMs },
      threads: 1,
      onThreadError: (error) => expect.unreachable(error.message),
    })
    onTestFinished(() => pool.close())
    return (pageId) => pool.run('expandedLinks', { pageId, maxFiles: 1, now: 5 })
  }

  test('run no module that has cost a render thread, and name none that has used up their time alone', async () => {
    const wiki = openWiki({ luaTimeMs: 300 })
    const expand = openCompute(wiki, PATIENT_MS)
    await expand(11)
    expect((await wiki.render(12)).html).toContain('all is well')
    const other = openWiki({ luaTimeMs: PAST_ALL_MS })
    await other.render(15)
    await expect(other.render(11, 500)).rejects.toMatchObject({ isOverrun: true })
    await openCompute(other, PATIENT_MS)(11)
  })

  test('tell the others which module cost a thread', async () => {
    const wiki = openWiki({ luaTimeMs: PAST_ALL_MS })
    const expand = openCompute(wiki, 1000)
    // A thread starts, which may take longer than a task.
    await expect.poll(() => expand(15).catch(() => undefined), { timeout: 30_000 }).toBeDefined()
    await expect(expand(18)).rejects.toMatchObject({ isOverrun: true })
    expect(isBlocked(await wiki.render(19))).toBe(true)
  })
})

describe("a module that has used up a page's time", () => {
  test('fails at once on the next page', async () => {
    const { render } = openWiki({ luaTimeMs: 300 })
    expect(await render(11)).toMatchObject({
      html: expect.stringContaining(TIME_OVER) as string,
      expiresAt: 0,
    })
    expect(isBlocked(await render(12))).toBe(true)
  })

  test('by many short calls goes on elsewhere', async () => {
    const { render } = openWiki({ luaTimeMs: 300 })
    expect((await render(14)).html).toContain(TIME_OVER)
    expect(await render(15)).toMatchObject({ html: expect.stringContaining('short') as string, expiresAt: 0 })
  })
})

describe('the list of such modules', () => {
  test('is the same for all threads, and forgets the oldest', () => {
    const blocks = new ModuleBlocks()
    const other = new ModuleBlocks(blocks.memory)
    for (let key = 1n; key <= 65n; key++) blocks.block(key)
    other.block(65n)
    const blocked = Array.from({ length: 66 }, (_, n) => other.blockedForMs(BigInt(n)) > 0)
    expect(blocked.map((is, n) => (is ? -1 : n)).filter((n) => n >= 0)).toEqual([0, 1])
    expect(blocks.blockedForMs(65n)).toBeLessThanOrEqual(BLOCK_MS)
  })

  test('blames a call only for most of the time', () => {
    const running = new RunningModule()
    expect(running.toBlame(1)).toBeUndefined()
    running.set({ key: 7n, sinceMs: performance.now() - 1000 })
    expect(new RunningModule(running.memory).toBlame(1500)).toBe(7n)
    expect(running.toBlame(60_000)).toBeUndefined()
    running.clear()
    expect(running.toBlame(1)).toBeUndefined()
  })
})
