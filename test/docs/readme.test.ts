/** README's first request: its answer is what the sample wiki answers after `make run`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServer } from '../conformance/garden.js'
import { runHosted } from '../support/command.js'
import { temporaryFolder } from '../support/store.js'

const ROOT = join(import.meta.dirname, '../..')

/** The commands of `make run` that fill the store, with its data folder. */
function fillCommands(dataDir: string): string[][] {
  const recipe = /^run: .*\n((?:\t.*\n)+)/m.exec(readFileSync(join(ROOT, 'Makefile'), 'utf8'))![1]!
  return [...recipe.matchAll(/^\tbin\/palimpsest (.*)$/gm)]
    .map(([, line]) => [...line!.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!))
    .filter(([command]) => command !== 'serve')
    .map((words) => words.map((word) => word.replace('$(DATA)', dataDir)))
}

test('the first request has the answer that README shows', async () => {
  const [, path, answer] =
    /^ {4}\$ curl http:\/\/127\.0\.0\.1:8080(\/\S+)\n((?: {4}.*\n)+)/m.exec(
      readFileSync(join(ROOT, 'README.md'), 'utf8'),
    ) ?? []
  const dataDir = temporaryFolder()
  for (const words of fillCommands(dataDir)) {
    expect(runHosted(words, '', { cwd: ROOT }), words.join(' ')).toMatchObject({ status: 0 })
  }
  const server = await startServer(dataDir, { publicUrl: 'http://127.0.0.1:8080' })
  const { bytes } = await server.send(path!)
  expect(bytes.toString()).toBe(answer!.replace(/^ {4}/gm, '').replace(/\n/g, ''))
})
