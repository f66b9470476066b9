/** The dictionary's way from a file to comparisons in threads, and files that cannot be used. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { App } from '../../../src/app/app.js'
import { compare } from '../../../src/diff/compare.js'
import { ThaiDictionary } from '../../../src/diff/thaiDictionary.js'
import { dictionaryBreaker } from '../../../src/diff/thaiWords.js'
import { readThaiDictionary } from '../../../src/workers/compute/thaiDictionaryFile.js'
import { send, testConfig } from '../../conformance/garden.js'
import { page, revision, temporaryFolder, temporaryStore } from '../../support/store.js'
import { dictionaryOf } from '../../support/thaiDictionary.js'

const DICTIONARY = dictionaryOf(['กาขา', 'มานา', 'ตานา'])
const FROM = 'กาขามานา'
const TO = 'กาขาตานา'
const EXACT = compare(FROM, TO, { thaiBreaker: dictionaryBreaker(new ThaiDictionary(DICTIONARY)) })

function fileWith(bytes: Uint8Array): string {
  const path = join(temporaryFolder(), 'thai.tri')
  writeFileSync(path, bytes)
  return path
}

/** The answer of a server to a comparison, and its warnings about the file. */
async function answerWith(thaiDictionary: string): Promise<{ diff: unknown; logged: string[] }> {
  const { applier, dataDir, store } = temporaryStore()
  applier.importPages('d', [page(1, 'Moon', [revision(1, FROM), revision(2, TO)])])
  await store.close()
  const logged: string[] = []
  const config = testConfig(dataDir, { thaiDictionary, logLevel: 'warn' })
  const app = await App.open(config, { logTo: { write: (line) => void logged.push(line) } })
  onTestFinished(() => app.close())
  const { body } = await send(app.port, '/v1/revision/1/compare/2', {})
  const messages = logged.map((line) => (JSON.parse(line) as { msg: string }).msg)
  return { diff: (body as { diff: unknown }).diff, logged: messages.filter((one) => one.includes('ICU')) }
}

test('a server compares with the dictionary that a setting names', async () => {
  expect(EXACT).not.toEqual(compare(FROM, TO))
  const { diff, logged } = await answerWith(fileWith(DICTIONARY))
  expect(diff).toEqual(JSON.parse(EXACT.toString()))
  expect(logged).toEqual([])
})

test('a server with a damaged dictionary warns once, and compares with ICU', async () => {
  const path = fileWith(DICTIONARY.subarray(0, -1))
  const { diff, logged } = await answerWith(path)
  expect(diff).toEqual(JSON.parse(compare(FROM, TO).toString()))
  expect(logged).toEqual([`${path} is cut off: ICU cuts the words of Thai texts instead`])
})

test('no dictionary is read when none is asked for', () => {
  expect(readThaiDictionary('none')).toEqual({ bytes: undefined, fault: undefined })
})

test('threads share the memory of a dictionary', () => {
  const { bytes, fault } = readThaiDictionary(fileWith(DICTIONARY))
  expect(fault).toBeUndefined()
  expect(bytes?.buffer).toBeInstanceOf(SharedArrayBuffer)
  expect(Buffer.from(bytes!)).toEqual(DICTIONARY)
})

test.each<[string, (path: string) => void, string]>([
  ['is absent', () => undefined, 'cannot open PATH: there is no such file or folder'],
  ['is a folder', (path) => mkdirSync(path), 'PATH is no file'],
  ['is a pipe', (path) => void spawnSync('mkfifo', [path]), 'PATH is no file'],
  [
    'is huge',
    (path) => {
      writeFileSync(path, '')
      truncateSync(path, 2 ** 40)
    },
    'PATH has more than 16 MiB',
  ],
  [
    'is a text',
    (path) => writeFileSync(path, 'กาขา\n'.repeat(10)),
    'PATH is no dictionary: it has no alphabet',
  ],
])('a fault is told for a file that %s', (_case, make, fault) => {
  const path = join(temporaryFolder(), 'thai.tri')
  make(path)
  expect(readThaiDictionary(path)).toEqual({ bytes: undefined, fault: fault.replace('PATH', path) })
})
