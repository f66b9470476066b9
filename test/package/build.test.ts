/** What the build makes, and that everything which runs compiled code finds it. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ENTRIES } from '../../build.mjs'
import { openServerLog } from '../../src/app/logger.js'
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

  test('keeps names in stack traces, and maps them to sources', () => {
    const options = {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '--stack-trace-limit=30' },
    } as const
    const fault = `const parse = JSON.parse
      JSON.parse = (text) => { if (text.includes('"palimpsest"')) throw new Error('broken'); return parse(text) }`
    const preload = `data:text/javascript,${encodeURIComponent(fault)}`
    const { stderr, status } = spawnSync(process.execPath, ['--import', preload, START, '--version'], options)
    expect([status, stderr.includes('Error: broken')]).toEqual([1, true])
    const [, file, line] = /at productVersion \((src\/.*):(\d+):\d+\)/.exec(stderr) ?? []
    expect(file).toBe('src/runtime/version.ts')
    expect(readFileSync(join(SRC, '..', file!), 'utf8').split('\n')[Number(line) - 1]).toContain('JSON.parse')
  })

  test('lets the log of a server name sources', () => {
    const program = `import { merge } from ${JSON.stringify(compiledFile('library.ts'))}
      try { merge(1, 2, 3) } catch (error) { process.stdout.write(error.stack) }`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    })
    expect(stdout).toMatch(/at merge3 \(file:.*\/dist\/.*\.js:\d+:\d+\)/)
    const lines: string[] = []
    const { log } = openServerLog({ logLevel: 'info' }, undefined, { write: (line) => lines.push(line) })
    log.error({ err: Object.assign(new TypeError('no text'), { stack: stdout }) }, 'a request failed')
    const { err } = JSON.parse(lines[0]!) as { err: { type: string; stack: string } }
    expect(err.type).toBe('TypeError')
    expect(err.stack).toMatch(/at merge3 \(src\/diff\/merge3\.ts:\d+:\d+\)/)
    expect(err.stack).not.toContain('dist/')
  })
})
