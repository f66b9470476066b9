/**
 * Tiers of the tests. `make test` runs the fast one, CI also the rest, and `npx vitest run FILE` all tests of a file, whatever their
 * tags. A comment `@module-tag NAME` tags a file, the option `tags` a test.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** Tags of tests that the fast tier leaves out, and why. */
export const TAGS = [
  { name: 'kills', description: 'kills processes in the middle of their work' },
  { name: 'cluster', description: 'starts PostgreSQL or several nodes' },
  { name: 'browser', description: 'drives Chromium through many pages' },
  { name: 'hostile', description: 'reaches limits of time and memory' },
  { name: 'slow', description: 'takes long, and seldom finds what the others miss' },
]

/** `fast` leaves tagged tests out; `rest` runs the files in which that tier left something out. */
export type Tier = 'all' | 'fast' | 'rest'

export const TIER = (process.env['TIER'] ?? 'all') as Tier

/** Projects that repeat conformance tests in another mode. */
export const REPEATS = ['uws', 'path', 'cold']

interface TestFile {
  readonly path: string
  /** Tags of the whole file. */
  readonly tags: readonly string[]
  /** Whether the fast tier runs fewer tests, or fewer rounds, of it. */
  readonly isCut: boolean
}

const PATHS = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => join('test', path))

const FILES: readonly TestFile[] = PATHS.map((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const tags = [...text.matchAll(/^\/\/ @module-tag (\w+)$/gm)].map(([, tag]) => tag!)
  return { path, tags, isCut: /\btags: \[|\brounds\(/.test(text) }
})

/** Chooses the tests of the fast tier within a file. */
export const FAST_FILTER = TAGS.map(({ name }) => `!${name}`).join(' && ')

const isLeftOut = ({ tags }: TestFile): boolean => tags.length > 0

/** Files that a tier does not even load. */
export function filesOutside(tier: Tier): string[] {
  const outside = (file: TestFile): boolean =>
    tier === 'fast' ? isLeftOut(file) : tier === 'rest' && !isLeftOut(file) && !file.isCut
  return FILES.filter(outside).map(({ path }) => path)
}

/** What the fast tier left out, in words. */
export function leftOut(): string {
  const counts = TAGS.map(
    ({ name }) => [name, FILES.filter(({ tags }) => tags.includes(name)).length] as const,
  )
  const byTag = counts.map(([name, count]) => `${name} ${count}`).join(', ')
  return `Left out, for make test-all: files of tests by tag (${byTag}), repeats of the conformance tests (${REPEATS.join(', ')}), and most rounds of random tests.`
}
