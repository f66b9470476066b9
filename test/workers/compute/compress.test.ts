/** Compression as a task of the real compute pool. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { ComputePool } from '../../../src/workers/compute/pool.js'
import { PATIENT } from '../../support/patience.js'
import { RENDER_SETTINGS } from '../../support/renderSettings.js'
import { temporaryStore } from '../../support/store.js'

test('compressed bytes come with memory of their own, not with the pool of Buffers', async () => {
  const pool = new ComputePool({
    wikis: [{ dataDir: temporaryStore().dataDir, renderSettings: RENDER_SETTINGS }],
    threads: 1,
    taskTimeoutMs: Number(PATIENT.taskTimeoutMs),
    onThreadError: (error) => {
      throw error
    },
  })
  onTestFinished(() => pool.close())
  const text = 'moon and sun\n'.repeat(3000)
  for (const [coding, unpack] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const) {
    const packed = await pool.run('compress', { bytes: Buffer.from(text), coding })
    expect(packed.buffer.byteLength).toBe(packed.length)
    expect(unpack(packed).toString()).toBe(text)
  }
})
