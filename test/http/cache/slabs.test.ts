import { expect, test } from 'vitest'
import { Slabs } from '../../../src/http/cache/slabs.js'
import { randomNumbers } from '../../../bench/support/random.js'

const MB = 2 ** 20

test('gives copies that later copies and the original leave alone', () => {
  const slabs = new Slabs()
  const random = randomNumbers(7)
  const sizes = Array.from({ length: 2000 }, () => Math.floor(random() * 5000))
  const copies = sizes.map((size, n) => {
    const bytes = new Uint8Array(size).fill(n)
    const copy = slabs.copy(bytes)
    bytes.fill(255)
    return copy
  })
  for (const [n, copy] of copies.entries()) {
    expect(copy.length).toBe(sizes[n])
    expect(copy.every((byte) => byte === n % 256)).toBe(true)
  }
  const slabCount = new Set(copies.map(({ buffer }) => buffer)).size
  const total = sizes.reduce((sum, size) => sum + size)
  expect(slabCount).toBeGreaterThanOrEqual(Math.ceil(total / MB))
  expect(slabCount).toBeLessThanOrEqual(Math.ceil(total / (MB - 5000)))
})

test('gives large bytes memory of their own, without a hole in the slab', () => {
  const slabs = new Slabs()
  const [before, large, after] = [10, MB, 10].map((size) => slabs.copy(new Uint8Array(size)))
  expect(large!.buffer.byteLength).toBe(MB)
  expect(after!.buffer).toBe(before!.buffer)
  expect(after!.byteOffset).toBe(10)
})
