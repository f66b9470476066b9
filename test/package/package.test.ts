/**
 * The package as a user gets it: packed, installed into an empty folder, run by its name, imported as a library. Its
 * dependencies come from npm's registry, so the tests are skipped if that does not answer.
 */
// @module-tag slow
import { execFile, type ExecFileException } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { removeAfterFile } from '../support/cleanUp.js'
import { ADDRESS, portOf, runProgram } from '../support/command.js'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)
/** npm's codes for a registry that cannot be reached. */
const UNREACHABLE = /ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ENOTCACHED|ETIMEDOUT|ENETUNREACH/

interface PackedFile {
  readonly path: string
}

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-package-'))
removeAfterFile(folder)
const command = join(folder, 'node_modules/.bin/palimpsest')
let packed: readonly PackedFile[] = []
let isUnreachable = false

beforeAll(async () => {
  const pack = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
  })
  const [{ filename, files }] = JSON.parse(pack.stdout) as [{ filename: string; files: PackedFile[] }]
  packed = files
  writeFileSync(join(folder, 'package.json'), '{"name":"user","version":"1.0.0","private":true}')
  try {
    const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--omit=dev']
    await run('npm', ['install', ...flags, join(folder, filename)], { cwd: folder })
  } catch (error) {
    isUnreachable = UNREACHABLE.test((error as ExecFileException & { stderr: string }).stderr)
    if (!isUnreachable) throw error
  }
})

/** Packages with a script for their installation. */
function packagesWithInstallScripts(modules: string): string[] {
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>
  }
  return Object.entries(packages).flatMap(([path, { hasInstallScript }]) => (hasInstallScript ? [path] : []))
}

describe('the package', () => {
  test('holds what runs, its licence and its documents, and neither sources nor tests', () => {
    const own = packed.map(({ path }) => path).filter((path) => !path.startsWith('node_modules/'))
    expect(new Set(own.map((path) => path.split('/')[0]))).toEqual(
      new Set([
        'bin',
        'dist',
        'languages',
        'package.json',
        'README.md',
        'LICENSE',
        'CHANGELOG.md',
        'SECURITY.md',
      ]),
    )
    const maps = own.filter((path) => path.endsWith('.map'))
    expect(maps.length).toBeGreaterThan(10)
    for (const path of maps)
      expect(readFileSync(join(ROOT, path), 'utf8')).not.toContain('"sourcesContent":["')
  })

  test('has the API viewer and its licence, and no package whose installation tells others', () => {
    const viewer = packed.map(({ path }) => path).filter((path) => path.startsWith('dist/viewer/'))
    expect(viewer.map((path) => path.split('/').at(-1)).sort()).toEqual(
      ['LICENSE', 'NOTICE', 'favicon-32x32.png', 'swagger-ui-bundle.js', 'swagger-ui.css'].sort(),
    )
    if (isUnreachable) return
    // Two look for a binary, one prints a request for support. None speaks to others.
    const known = ['lmdb', 'msgpackr-extract', 'palimpsest/node_modules/core-js']
    expect(packagesWithInstallScripts(join(folder, 'node_modules'))).toEqual(
      known.map((name) => `node_modules/${name}`),
    )
  })

  test('brings the HTML engine without the packages of its HTTP service', () => {
    const bundled = new Set(packed.map(({ path }) => /^node_modules\/([^/]+)/.exec(path)?.[1]))
    expect(bundled).toContain('parsoid')
    // The real express would bring its own.
    expect(bundled).not.toContain('body-parser')
  })

  test('imports a dump and serves its pages as HTML', async (context) => {
    if (isUnreachable) context.skip('the npm registry cannot be reached')
    const data = join(folder, 'data')
    await run(command, ['import', '--data-dir', data, join(ROOT, 'sample/handbook.xml')])
    const served = runProgram(command, 'serve', '--data-dir', data, '--port', '0')
    const port = portOf(await served.printed(ADDRESS))
    const answer = await fetch(`http://127.0.0.1:${port}/v1/page/Main_Page/html`)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('<h2 id=')
    served.child.kill('SIGTERM')
    expect(await served.exit).toBe(0)
  })

  test('gives comparison and merge to programs', async (context) => {
    if (isUnreachable) context.skip('the npm registry cannot be reached')
    writeFileSync(
      join(folder, 'use.mjs'),
      `import { compare, compareLines, ENTRY, merge } from 'palimpsest'
       const types = compareLines('old', 'new').map(({ type }) => Object.keys(ENTRY)[type])
       const merged = merge('A\\nb\\nc\\nd', 'a\\nb\\nc\\nd', 'a\\nb\\nc\\nD')
       console.log(JSON.stringify({ types, merged, json: JSON.parse(compare('a', 'a').toString()) }))`,
    )
    const { stdout } = await run(process.execPath, ['use.mjs'], { cwd: folder })
    expect(JSON.parse(stdout)).toEqual({
      types: ['added', 'deleted'],
      merged: { clean: true, text: 'A\nb\nc\nD\n' },
      json: [],
    })
  })
})
