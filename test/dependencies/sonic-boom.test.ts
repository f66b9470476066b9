/** Properties of sonic-boom, pino's destinations, that the access log needs, beyond pino's types. */
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

test('sonic-boom takes bytes in its mode for them, and tells which it drops when too much waits', async () => {
  const path = newFile()
  const out = destination({ dest: path, sync: false, maxLength: 10, contentMode: 'buffer' })
  await once(out, 'ready')
  const dropped: Buffer[] = []
  out.on('drop', (bytes: Buffer) => dropped.push(bytes))
  const write = (text: string): boolean =>
    (out as unknown as { write(bytes: Buffer): boolean }).write(Buffer.from(text))
  write('12345678\n')
  write('is too much\n')
  expect(dropped.map(String)).toEqual(['is too much\n'])
  out.end()
  await once(out, 'close')
  expect(readFileSync(path, 'utf8')).toBe('12345678\n')
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
