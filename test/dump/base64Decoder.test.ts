import { expect, test } from 'vitest'
import { Base64Decoder } from '../../src/dump/base64Decoder.js'

test.each([0, 1, 2, 3, 4, 5, 100])('%i bytes come out, wherever their base64 is cut', (length) => {
  const bytes = Buffer.from(Array.from({ length }, (_, n) => (n * 37) % 256))
  const text = bytes.toString('base64').replace(/(.{5})/g, '$1\n ')
  const decoder = new Base64Decoder()
  for (let size = 1; size <= text.length + 1; size++) {
    const pieces: Buffer[] = []
    for (let at = 0; at < text.length; at += size) pieces.push(decoder.decode(text.slice(at, at + size)))
    expect(Buffer.concat(pieces)).toEqual(bytes)
    decoder.reset()
  }
})
