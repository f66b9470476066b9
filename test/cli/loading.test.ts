/**
 * Size of the code that a command loads before it works, since that decides the time of a start. Node writes the scripts
 * that a process compiled to the folder NODE_V8_COVERAGE.
 */
// @module-tag slow
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { gardenFolder, temporaryFolder } from '../conformance/garden.js'
import { START } from '../support/command.js'

/** The commands themselves, the settings and some words of the domain. */
const MOST_MODULES = 65

const DIST = join(import.meta.dirname, '../../dist/')
/** The build writes the path of a module before its code. */
const MODULE = /^\/\/ src\/(.*)$/gm

interface Loaded {
  /** Modules of this package in the files that were loaded, as paths below `src`. */
  readonly modules: readonly string[]
  /** Names of packages. */
  readonly packages: readonly string[]
}

/** Runs a command to its end, and tells what its own process loaded. */
function loadedBy(...line: string[]): Loaded {
  const folder = temporaryFolder()
  const env = { ...process.env, NODE_V8_COVERAGE: folder }
  const { status, stderr, pid } = spawnSync(process.execPath, [START, ...line], { env, encoding: 'utf8' })
  expect({ status, stderr }, line.join(' ')).toEqual({ status: 0, stderr: '' })
  // Processes that it starts write files of their own.
  const name = readdirSync(folder).find((file) => file.startsWith(`coverage-${pid}-`))!
  const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] }
  const paths = result
    .map(({ url }) => url)
    .filter((url) => url.startsWith('file:'))
    .map((url) => fileURLToPath(url))
  const packages = paths.map((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])
  return {
    modules: paths.filter((path) => path.startsWith(DIST)).flatMap(modulesIn),
    packages: [...new Set(packages.flat())].toSorted(),
  }
}

function modulesIn(file: string): string[] {
  return Array.from(readFileSync(file, 'utf8').matchAll(MODULE), ([, path]) => path!)
}

describe('loads no store and no server', () => {
  test.each(['--version', '--help', 'help import', 'serve --help', 'completion bash'])('%s', (line) => {
    const { modules, packages } = loadedBy(...line.split(' '))
    expect(packages).toEqual(['character-entities', 'commander'])
    expect(modules.filter((path) => /^(app|storage|http|import|workers)\b/.test(path))).toEqual([])
    expect(modules.length).toBeGreaterThan(10)
    expect(modules.length).toBeLessThanOrEqual(MOST_MODULES)
  })
})

describe('a command that reads the store', () => {
  let wiki: string
  beforeAll(async () => {
    wiki = await gardenFolder()
  })

  test.each(['stats', 'site show', 'user list'])('loads no server: %s', (line) => {
    const { modules, packages } = loadedBy(...line.split(' '), '--data-dir', wiki)
    expect(modules).toContain('storage/store.ts')
    expect(modules.filter((path) => /^(app|http|import|dump|supervisor|workers)\b/.test(path))).toEqual([])
    expect(packages).not.toContain('uWebSockets.js')
  })

  test('leaves the store to another process for verify', () => {
    expect(loadedBy('verify', '--data-dir', wiki).packages).not.toContain('lmdb')
  })
})
