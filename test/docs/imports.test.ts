/** The map of the code is true: docs/architecture.md, the linter's rule, and what the files import say the same. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { circlesIn, type ImportGraph, importsIn, importsOf } from '../support/imports.js'

const ROOT = join(import.meta.dirname, '../..')
const graph = importsOf(join(ROOT, 'src'))
const { MAY_IMPORT, LAYERS, GUARDED_FILES } = (await import(join(ROOT, 'eslint.config.js'))) as {
  readonly MAY_IMPORT: Readonly<Record<string, readonly string[]>>
  readonly LAYERS: Readonly<Record<string, readonly string[]>>
  readonly GUARDED_FILES: readonly string[]
}

/** The folder directly below `src`, or the file without its ending. */
const roomOf = (path: string): string => path.replace(/\/.*|\.ts$/, '')

/** For each room, the others that its files import. */
function importsOfRooms(files: ImportGraph): Map<string, Set<string>> {
  const rooms = new Map<string, Set<string>>()
  for (const [path, targets] of files) {
    const room = roomOf(path)
    const others = [...targets].map(roomOf).filter((other) => other !== room)
    rooms.set(room, new Set([...(rooms.get(room) ?? []), ...others]))
  }
  return rooms
}

/** The table of folders in docs/architecture.md: the names of the last column. */
function documented(): Map<string, readonly string[]> {
  const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `src\/([\w.]+)` \|.*\| ([^|]*) \|$/gm)]
  return new Map(rows.map(([, room, names]) => [room!.replace(/\.ts$/, ''), namesIn(names!)]))
}

const namesIn = (cell: string): readonly string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!)

describe('files of src', () => {
  test('import each other in no circle, types included', () => {
    expect(circlesIn(graph)).toEqual([])
  })

  test('import only what exists', () => {
    const missing = [...graph].flatMap(([path, targets]) =>
      [...targets]
        .filter((target) => target.endsWith('.ts') && !graph.has(target))
        .map((target) => `${path}: ${target}`),
    )
    expect(missing).toEqual([])
  })

  test.each(Object.entries(MAY_IMPORT))('%s imports all that it may, and nothing else', (room, allowed) => {
    const guarded = new Set([...Object.keys(MAY_IMPORT), ...GUARDED_FILES])
    const others = [...(importsOfRooms(graph).get(room) ?? [])].filter((other) => guarded.has(other))
    expect(others.toSorted()).toEqual(allowed.toSorted())
  })
})

test('tests find `../shared` by describeShared of support/shared.ts, which skips them without the folder', () => {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  const naming = files
    .filter((path) => path.endsWith('.ts') && path !== 'support/shared.ts' && path !== 'docs/imports.test.ts')
    .filter((path) => /['"`][^'"`\n]*\.\.\/shared\b/.test(readFileSync(join(ROOT, 'test', path), 'utf8')))
  expect(naming).toEqual([])
})

/** The folder of a file inside its room; `.` for a file directly in it. */
const folderOf = (path: string): string => (path.split('/').length === 2 ? '.' : path.split('/')[1]!)

describe.each(Object.entries(LAYERS))('inside %s', (room, layers) => {
  const files = [...graph].filter(([path]) => path.startsWith(`${room}/`))

  test('each folder has its place in the order, and each place its folder', () => {
    expect([...new Set(files.map(([path]) => folderOf(path)))].toSorted()).toEqual(layers.toSorted())
  })

  test('no file imports from a higher folder', () => {
    const upward = files.flatMap(([path, targets]) =>
      [...targets]
        .filter((target) => target.startsWith(`${room}/`))
        .filter((target) => layers.indexOf(folderOf(target)) > layers.indexOf(folderOf(path)))
        .map((target) => `${path}: ${target}`),
    )
    expect(upward).toEqual([])
  })
})

describe('docs/architecture.md', () => {
  test('has a row for each folder of the rule', () => {
    const folders = [...documented().keys()].filter((room) => !graph.has(`${room}.ts`))
    expect(folders.toSorted()).toEqual(Object.keys(MAY_IMPORT).toSorted())
  })

  test.each(Object.entries(MAY_IMPORT))('says what %s may import', (room, allowed) => {
    expect(documented().get(room)?.toSorted()).toEqual(allowed.toSorted())
  })
})

test.each([
  ['http', 'serving.md'],
  ['render', 'html.md'],
])('the folders of %s stand in their order in docs/architecture/%s', (room, page) => {
  const text = readFileSync(join(ROOT, 'docs/architecture', page), 'utf8')
  const section = text.split(`## Folders of \`src/${room}\``)[1]!.split('\n## ')[0]!
  expect([...section.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name)).toEqual(LAYERS[room])
})

describe('the search for circles', () => {
  const graphOf = (files: Record<string, string>): ImportGraph =>
    new Map(Object.entries(files).map(([path, text]) => [path, importsIn(path, text)]))

  test.each([
    [
      'two files',
      { 'a/x.ts': "import { y } from './y.js'", 'a/y.ts': "import { x } from './x.js'" },
      [['a/x.ts', 'a/y.ts']],
    ],
    [
      'types',
      { 'a.ts': "import type { B } from './b.js'", 'b.ts': "export type { A } from './a.js'" },
      [['a.ts', 'b.ts']],
    ],
    [
      'types within',
      { 'a.ts': "type B = import('./b.js').B", 'b.ts': "const a = await import('./a.js')" },
      [['a.ts', 'b.ts']],
    ],
    ['a file alone', { 'a.ts': "import './a.js'" }, [['a.ts']]],
    [
      'a longer one, and what leads to it',
      {
        'a.ts': "import './b.js'",
        'b.ts': "import './c.js'",
        'c.ts': "import './d.js'",
        'd.ts': "import './b.js'",
      },
      [['b.ts', 'c.ts', 'd.ts']],
    ],
    [
      'two that share a file are one',
      { 'a.ts': "import './b.js'", 'b.ts': "import './a.js'\nimport './c.js'", 'c.ts': "import './b.js'" },
      [['a.ts', 'b.ts', 'c.ts']],
    ],
    [
      'none, where ways meet again',
      {
        'a.ts': "import './b.js'\nimport './c.js'",
        'b.ts': "import './d.js'",
        'c.ts': "import './d.js'",
        'd.ts': '',
      },
      [],
    ],
  ])('finds %s', (_case, files, circles) => {
    expect(circlesIn(graphOf(files))).toEqual(circles)
  })
})
