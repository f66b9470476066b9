/** The programs of examples/, as their README shows them, beside a server with the sample wiki. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../conformance/garden.js'
import { type Run, runHosted, runProgram } from '../support/command.js'
import { folderOfFile } from '../support/cleanUp.js'

const ROOT = join(import.meta.dirname, '../..')

interface Ended {
  readonly status: number | null
  readonly out: string
}

const start = (file: string, ...args: string[]): Run => {
  const path = join(ROOT, 'examples', file)
  return file.endsWith('.sh') ? runProgram(path, ...args) : runProgram(process.execPath, path, ...args)
}

/** Runs a program of examples/ to its end. */
async function runExample(file: string, ...args: string[]): Promise<Ended> {
  const { exit, output } = start(file, ...args)
  const status = await exit
  return { status, out: output.stdout + output.stderr }
}

test('README of examples/ names each program', () => {
  const text = readFileSync(join(ROOT, 'examples/README.md'), 'utf8')
  const programs = readdirSync(join(ROOT, 'examples')).filter((name) => /\.(mjs|sh)$/.test(name))
  expect(programs.length).toBe(5)
  for (const name of programs) expect(text).toContain(`examples/${name}`)
})

test('compare.mjs prints a changed word, and the merge of two edits', async () => {
  const { status, out } = await runExample('compare.mjs')
  expect(status).toBe(0)
  expect(out).toContain('changed line 2: They grow very slowly. +" very"')
  expect(out).toContain('They grow very slowly.\nTheir fruits are acorns.\nThey live for centuries.\n')
})

test('expand.sh expands a template and a module', async () => {
  expect(await runExample('expand.sh')).toEqual({
    status: 0,
    out: "Hello, '''reader'''! Ten squared is 100.\n",
  })
})

describe('beside a server', () => {
  let server: TestServer
  let url: string
  beforeAll(async () => {
    const dataDir = folderOfFile()
    const { status } = runHosted(['import', '--data-dir', dataDir, 'sample/handbook.xml'], '', { cwd: ROOT })
    expect(status).toBe(0)
    server = await startServer(dataDir, { anonymousEdits: true })
    url = `http://127.0.0.1:${server.port}`
  })

  test('edit.mjs appends a line', async () => {
    expect(await runExample('edit.mjs', url, 'Sandbox', 'One more line')).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^revision \d+ of Sandbox\n$/) as string,
    })
    const { body } = await server.send('/v1/page/Sandbox')
    expect((body as { source: string }).source).toMatch(/\nOne more line$/)
  })

  test('edit.mjs says why an edit is refused', async () => {
    const { status, out } = await runExample('edit.mjs', url, 'Atlantis', 'One more line')
    expect([status, out.includes('404 rest-nonexistent-title')]).toEqual([1, true])
  })

  test('watch.mjs tells a server that serves from one that is gone', async () => {
    expect(await runExample('watch.mjs', url)).toEqual({ status: 0, out: `${url} serves and saves\n` })
    const { status, out } = await runExample('watch.mjs', 'http://127.0.0.1:9')
    expect([status, out.startsWith('http://127.0.0.1:9 has a fault: /healthz: ')]).toEqual([1, true])
  })

  test('page.mjs shows a page in a layout of its own', async () => {
    const [address] = await start('page.mjs', url, '0').printed(/http:\S+/)
    const page = await fetch(`${address}Getting_started`)
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringMatching(/<h1>Getting started<\/h1>[^]*id="From_a_checkout/),
    ])
    expect((await fetch(`${address}Atlantis`)).status).toBe(404)
  })
})
