import { expect, test } from 'vitest'
import { Base64Decoder } from '../../src/dump/uploadReader.js'

test.each([0, 1, 2, 3, 4, 5, 100])('%i bytes come out, wherever their base64 is cut', (length) => {
  const bytes = Buffer.from(Array.from({ length }, (_, n) => (n * 37) % 256))
  const text = bytes.toString('base64').replace(/(.{5})/g, '$1\n ')
  const decoder = new Base64Decoder()
  for (let size = 1; size <= text.length + 1; size++) {
    const pieces: Buffer[] = []
    for (let at = 0; at < text.length; at += size) pieces.push(decoder.decode(text.slice(at, at + size))!)
    expect(Buffer.concat(pieces)).toEqual(bytes)
    expect(decoder.isWhole).toBe(true)
    decoder.reset()
  }
})

test.each([
  ['another sign', 'QUJD-_', true],
  ['a digit after the padding', 'QQ==QQ', true],
  ['padding without digits', 'QUJD=', true],
  ['three signs of padding', 'QQ===', true],
  ['a sign of padding too many', 'QUI==', true],
  ['padding between digits', 'Q=Q', true],
  ['one digit alone', 'QUJDQ', false],
  ['no padding', 'QUI', false],
  ['half of the padding', 'QQ=', false],
])('%s is no base64, wherever it is cut', (_case, text, isRefused) => {
  for (let size = 1; size <= text.length; size++) {
    const decoder = new Base64Decoder()
    let refused = false
    for (let at = 0; at < text.length && !refused; at += size) {
      refused = decoder.decode(text.slice(at, at + size)) === undefined
    }
    expect({ refused, isWhole: refused || decoder.isWhole }).toEqual({
      refused: isRefused,
      isWhole: isRefused,
    })
  }
})
