import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ThumbnailCache } from '../../src/files/thumbnailCache.js'
import { temporaryFolder } from '../support/store.js'

const KIBIBYTE = 1024

async function put(cache: ThumbnailCache, name: string, size = KIBIBYTE): Promise<void> {
  const place = await cache.placeToWrite()
  writeFileSync(place, Buffer.alloc(size, name))
  await cache.keep(place, name)
}

async function has(cache: ThumbnailCache, name: string): Promise<boolean> {
  const file = await cache.find(name)
  if (file === undefined) return false
  const bytes = await file.readFile()
  await file.close()
  expect(bytes[0]).toBe(name.charCodeAt(0))
  return true
}

const stored = (folder: string): string[] =>
  ['young', 'old'].flatMap((generation) => {
    const path = join(folder, generation)
    const parts = existsSync(path) ? readdirSync(path) : []
    return parts.flatMap((part) => readdirSync(join(path, part)))
  })

test('a picture is found once it is kept', async () => {
  const cache = new ThumbnailCache(join(temporaryFolder(), 'thumbnails'), 2 ** 20)
  expect(await has(cache, 'ab-1')).toBe(false)
  await put(cache, 'ab-1')
  expect(await has(cache, 'ab-1')).toBe(true)
})

test('the room is bounded, and what is used stays', async () => {
  const folder = temporaryFolder()
  const cache = new ThumbnailCache(folder, 40 * KIBIBYTE)
  await put(cache, '00-used')
  for (let n = 0; n < 300; n++) {
    await put(cache, `${(n % 16).toString(16)}f-${n}`)
    expect(await has(cache, '00-used')).toBe(true)
    // A part of the half may come before the young are measured.
    expect(stored(folder).length).toBeLessThanOrEqual(40 + 2 * 3)
  }
  expect(await has(cache, '0f-0')).toBe(false)
  expect(readdirSync(folder).filter((name) => name.startsWith('gone-'))).toEqual([])
})

test('processes that share a folder keep its bound together', async () => {
  const folder = temporaryFolder()
  const caches = [1, 2, 3].map(() => new ThumbnailCache(folder, 40 * KIBIBYTE))
  for (let round = 0; round < 60; round++) {
    await Promise.all(caches.map((cache, n) => put(cache, `ab-${round}-${n}`)))
  }
  expect(stored(folder).length).toBeLessThanOrEqual(40 + 3 * 2 * 3)
  expect(stored(folder).length).toBeGreaterThan(10)
})

test('an open picture can be read though it is deleted', async () => {
  const folder = temporaryFolder()
  const cache = new ThumbnailCache(folder, 2 ** 20)
  await put(cache, 'ab-1')
  const file = await cache.find('ab-1')
  rmSync(folder, { recursive: true })
  expect((await file!.readFile()).length).toBe(KIBIBYTE)
  await file!.close()
  expect(await has(cache, 'ab-1')).toBe(false)
  await put(cache, 'ab-1')
  expect(await has(cache, 'ab-1')).toBe(true)
})
