/** What the build makes, and that everything which runs compiled code finds it. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ENTRIES } from '../../build.mjs'
import { compiledFile } from '../../src/runtime/packageFiles.js'
import { START } from '../support/command.js'

const SRC = join(import.meta.dirname, '../../src')
/** A use of `compiledFile`, with the path. */
const COMPILED_FILE = /\bcompiledFile\('([^']+)\.ts'\)/g
/** What others start: the command, and programs that import the package. */
const FROM_OUTSIDE = ['cli/start', 'library']

describe('the build', () => {
  test('has an entry for each file that src starts by its path, and no others', () => {
    const files = readdirSync(SRC, { encoding: 'utf8', recursive: true }).filter((file) =>
      file.endsWith('.ts'),
    )
    const sources = files.map((file) => readFileSync(join(SRC, file), 'utf8'))
    const started = sources.flatMap((text) => Array.from(text.matchAll(COMPILED_FILE), ([, path]) => path!))
    expect(started.length).toBeGreaterThan(5)
    expect(ENTRIES.toSorted()).toEqual([...FROM_OUTSIDE, ...started].toSorted())
    for (const entry of ENTRIES) expect(existsSync(compiledFile(`${entry}.ts`)), entry).toBe(true)
  })

  test('keeps names in stack traces, and paths of modules in the files', () => {
    const options = {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '--stack-trace-limit=30' },
    } as const
    const fault = `const parse = JSON.parse
      JSON.parse = (text) => { if (text.includes('palimpsest')) throw new Error('broken'); return parse(text) }`
    const preload = `data:text/javascript,${encodeURIComponent(fault)}`
    const { stderr } = spawnSync(process.execPath, ['--import', preload, START, '--version'], options)
    expect(stderr).toContain('Error: broken')
    const [, file, line] = /at productVersion \(file:\/\/(.*):(\d+):\d+\)/.exec(stderr) ?? []
    const before = readFileSync(file!, 'utf8').split('\n').slice(0, Number(line)).join('\n')
    expect(before.match(/^\/\/ src\/.*$/gm)?.at(-1)).toBe('// src/runtime/version.ts')
  })
})
