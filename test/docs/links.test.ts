/** Links of the documentation lead to files that exist, and to headings in them; the files of code that it names exist too. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const pagesIn = (folder: string, recursive: boolean): string[] =>
  readdirSync(join(ROOT, folder), { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
const PAGES = [
  ...pagesIn('.', false),
  ...pagesIn('docs', true),
  ...pagesIn('bench', false),
  ...pagesIn('bench/notes', false),
  ...pagesIn('sample', false),
]

/** A page without blocks of code, where brackets are no links. */
const proseOf = (text: string): string =>
  text.replace(/^```[^]*?^```$/gm, '').replace(/^(?: {4}|\t).*$/gm, '')

/** The anchor that viewers give a heading: lower case, spaces as hyphens, no other signs. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const anchorsIn = (text: string): Set<string> =>
  new Set([...proseOf(text).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!)))

/** Targets of a page's links and pictures that lead nowhere; `read` is undefined for a file that is not there. */
function brokenLinks(page: string, text: string, read: (path: string) => string | undefined): string[] {
  const targets = [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false
    const [path, anchor] = target.split('#') as [string, string?]
    const found = path === '' ? text : read(join(dirname(page), path))
    return found === undefined || (anchor !== undefined && !anchorsIn(found).has(anchor))
  })
}

function readPage(path: string): string | undefined {
  const stats = statSync(join(ROOT, path), { throwIfNoEntry: false })
  if (!stats) return undefined
  return stats.isFile() ? readFileSync(join(ROOT, path), 'utf8') : ''
}

describe('links of the documentation', () => {
  test.each(PAGES)('%s has none that leads nowhere', (page) => {
    expect(brokenLinks(page, readFileSync(join(ROOT, page), 'utf8'), readPage)).toEqual([])
  })

  test('are found in every guide', () => {
    expect(PAGES).toEqual(expect.arrayContaining(['README.md', 'docs/operations.md', 'bench/README.md']))
    expect(PAGES.length).toBeGreaterThan(20)
  })
})

describe('files of code that the documentation names', () => {
  const inFolders = ['src', 'test', 'bench', 'sample', 'languages'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const files = [...readdirSync(ROOT, { encoding: 'utf8' }), ...inFolders]
  const exists = (name: string): boolean => files.some((path) => `/${path}`.endsWith(`/${name}`))

  test.each(PAGES)('%s names none that is not there', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const names = [...text.matchAll(/`([\w./]+\.(?:ts|mjs|py))`/g)].map(([, name]) => name!)
    expect(names.filter((name) => !exists(name))).toEqual([])
  })
})

test('a missing file and a missing heading are told, links to other sites are not', () => {
  const text =
    '# One\n[a](b.md) [c](d.md) [e](d.md#two) [f](d.md#three) [g](#one) [h](#six) [i](https://x.example)\n'
  const read = (path: string): string | undefined => (path === 'docs/d.md' ? '## `Two`!\n' : undefined)
  expect(brokenLinks('docs/page.md', text, read)).toEqual(['b.md', 'd.md#three', '#six'])
})
