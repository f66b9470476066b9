/** The lines of docs/clients.md run, with the programs as their registries have them, beside a server of the sample wiki. */
// @module-tag slow
import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { startServer } from '../conformance/garden.js'
import { folderOfFile } from '../support/cleanUp.js'
import { runHosted, runProgram } from '../support/command.js'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGES = ['m3api@1.1.0', 'mwn@3.0.3', 'nodemw@0.27.0', 'wikijs@6.4.1']
const INSTALL_MS = 120_000
const NODE = Number(process.versions.node.split('.')[0])

interface Example {
  readonly name: string
  readonly language: string
  readonly code: string
  readonly expected: string
}

/** Fenced code of a part of the page, and the indented block below it, which is what it prints. */
function exampleOf(part: string): Example[] {
  const [heading = '', ...parts] = part.split('```')
  const [code, printed] = parts
  if (code === undefined || printed === undefined) return []
  const indented = printed.split('\n').filter((line) => line.startsWith('    '))
  return [
    {
      name: heading.slice(0, heading.indexOf('\n')),
      language: code.slice(0, code.indexOf('\n')),
      code: code.slice(code.indexOf('\n') + 1),
      expected: indented.map((line) => `${line.slice(4)}\n`).join(''),
    },
  ]
}

const EXAMPLES = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8')
  .split('\n## ')
  .slice(1)
  .flatMap(exampleOf)

/** A folder with the packages; undefined where the registry cannot be reached. */
function installed(): string | undefined {
  const folder = folderOfFile()
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const { status } = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES],
    {
      cwd: folder,
      timeout: INSTALL_MS,
    },
  )
  return status === 0 ? folder : undefined
}
const hasMwclient = spawnSync('/usr/bin/python3', ['-c', 'import mwclient']).status === 0
test('the page shows a program for each heading that has code', () => {
  expect(EXAMPLES.map(({ name }) => name)).toEqual([
    ...['curl', 'mwn', 'nodemw', 'm3api', 'wikijs', 'mwclient', 'MCP clients'],
  ])
})

describe('beside a server', () => {
  let port: number
  let dataDir: string
  let folder: string | undefined
  beforeAll(async () => {
    dataDir = folderOfFile()
    const options = { cwd: ROOT }
    expect(runHosted(['import', '--data-dir', dataDir, 'sample/handbook.xml'], '', options).status).toBe(0)
    const account = ['user', 'create', 'Kit User', '--password-stdin', '--data-dir', dataDir]
    expect(runHosted(account, 'open sesame, please\n', options).status).toBe(0)
    port = (await startServer(dataDir)).port
    folder = installed()
  }, INSTALL_MS + 60_000)

  /** Runs an example of the page at this server, and returns what it prints. */
  async function outputOf({ language, code }: Example): Promise<string> {
    const here = code
      .replaceAll('8080', String(port))
      .replace(
        "command: 'palimpsest', args: [",
        `command: '${process.execPath}', args: ['${ROOT}/bin/palimpsest', `,
      )
      .replace('data/sample', dataDir)
    const run = runProgram(...lineOf(language, here, isOwn(code) ? ownFolder() : folder!))
    expect({ status: await run.exit, err: run.output.stderr }).toEqual({ status: 0, err: '' })
    return run.output.stdout
  }

  function lineOf(language: string, code: string, place: string): string[] {
    if (language === 'sh') return ['sh', '-c', code]
    const path = join(language === 'js' ? place : folderOfFile(), language === 'js' ? 'try.mjs' : 'try.py')
    writeFileSync(path, code)
    return [language === 'js' ? process.execPath : '/usr/bin/python3', path]
  }

  /** A folder in which the project's own packages are found. */
  const ownFolder = (): string => {
    const own = folderOfFile()
    symlinkSync(join(ROOT, 'node_modules'), join(own, 'node_modules'))
    return own
  }

  test.for(EXAMPLES)('$name prints what the page says', { timeout: 60_000 }, async (example, { skip }) => {
    const { language, code, expected } = example
    skip(language === 'python' && !hasMwclient, 'python3-mwclient is not installed')
    skip(example.name === 'm3api' && NODE >= 26, 'm3api 1.1.0 gets no answers on Node 26')
    skip(language === 'js' && !isOwn(code) && folder === undefined, 'npm cannot reach its registry')
    expect(await outputOf(example)).toBe(expected)
  })
})

/** Whether the code needs nothing but packages of the project. */
const isOwn = (code: string): boolean => code.includes('@modelcontextprotocol/')
