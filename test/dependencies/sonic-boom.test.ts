/** What the access log relies on in sonic-boom, the destinations of pino, beyond pino's types. */
import { once } from 'node:events'
import { fstatSync, mkdtempSync, readFileSync, renameSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { destination } from 'pino'
import { expect, test } from 'vitest'
import { removeAfterFile } from '../support/cleanUp.js'

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-log-'))
  removeAfterFile(folder)
  return join(folder, 'log')
}

test('sonic-boom has the descriptor of its file, and opens the file again at its place', async () => {
  const path = newFile()
  const out = destination({ dest: path, sync: false })
  await once(out, 'ready')
  const descriptor = (): number => (out as unknown as { readonly fd: number }).fd
  expect(fstatSync(descriptor()).ino).toBe(statSync(path).ino)
  renameSync(path, `${path}.1`)
  out.reopen()
  await once(out, 'ready')
  expect(fstatSync(descriptor()).ino).toBe(statSync(path).ino)
  out.write('a line\n')
  out.end()
  await once(out, 'close')
  expect(readFileSync(path, 'utf8')).toBe('a line\n')
})

test('sonic-boom tells which text it drops when too much waits', async () => {
  const out = destination({ dest: newFile(), sync: false, maxLength: 10 })
  await once(out, 'ready')
  const dropped: string[] = []
  out.on('drop', (text: string) => dropped.push(text))
  out.write('12345678\n')
  out.write('is too much\n')
  expect(dropped).toEqual(['is too much\n'])
  out.end()
  await once(out, 'close')
})

test('sonic-boom tells when it has written', async () => {
  const out = destination({ dest: newFile(), sync: false })
  await once(out, 'ready')
  out.write('a line\n')
  const [bytes] = (await once(out, 'write')) as [unknown]
  expect(bytes).toBe(7)
  out.end()
  await once(out, 'close')
})
