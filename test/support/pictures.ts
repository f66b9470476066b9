/** Pictures and sounds made for tests, sound ones and hostile ones. */
import { deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** A plain picture of one colour, to be encoded. */
export function picture(width: number, height: number, background = '#3366cc'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } })
}

export const png = (width: number, height: number, background?: string): Promise<Buffer> =>
  picture(width, height, background).png().toBuffer()

/** A picture that does not shrink when it is packed. */
export function noise(width: number, height: number): Sharp {
  const bytes = Buffer.allocUnsafe(width * height * 3)
  let state = 12345
  for (let at = 0; at < bytes.length; at++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    bytes[at] = state >> 16
  }
  return sharp(bytes, { raw: { width, height, channels: 3 } })
}

export function svg(body: string, { width = '100', height = '100', before = '' } = {}): Buffer {
  const names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
  return Buffer.from(
    `<?xml version="1.0"?>${before}<svg ${names} width="${width}" height="${height}">${body}</svg>`,
  )
}

/** A PNG of a few bytes that says it is of any size. */
export function pngClaiming(width: number, height: number): Buffer {
  return blackPng(width, height, Buffer.alloc(1000), false)
}

/** A sound PNG of a size that cannot be read line by line, a thousandth as large as what it unpacks to. */
export function interlacedPng(side: number): Buffer {
  return blackPng(side, side, Buffer.alloc(side * side * 3 + 8 * side), true)
}

function blackPng(width: number, height: number, rows: Buffer, interlaced: boolean): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, interlaced ? 1 : 0], 8)
  const parts = [
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(rows, { level: 1 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
}

/** A drawing whose entities make a text that takes minutes to lay out. */
export function slowDrawing(): Buffer {
  const times = (name: string, count: number) => `&${name};`.repeat(count)
  const entities = [
    '<!ENTITY a "aaaaaaaaaa">',
    `<!ENTITY b "${times('a', 10)}">`,
    `<!ENTITY c "${times('b', 10)}">`,
    `<!ENTITY d "${times('c', 10)}">`,
    `<!ENTITY e "${times('d', 14)}">`,
  ]
  return svg('<text>&e;</text>', { before: `<!DOCTYPE svg [${entities.join('')}]>` })
}

/** Silence of some seconds as WAV, 8,000 samples a second. */
export function wav(seconds: number): Buffer {
  const samples = Math.round(seconds * 8000)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples, 40)
  return Buffer.concat([head, Buffer.alloc(samples, 128)])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

export function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
