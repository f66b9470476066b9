import { describe, expect, test } from 'vitest'
import { isTar, TarSplitter } from '../../../src/dump/snapshot/tarSplitter.js'
import { paxRecord, tarOf } from '../../support/snapshots.js'

/** Contents of files by name, read in pieces of some bytes. */
function read(archive: Buffer, pieceBytes = archive.length): Map<string, string> {
  const files = new Map<string, string>()
  const tar = new TarSplitter()
  for (let at = 0; at < archive.length; at += pieceBytes)
    for (const { member, bytes } of tar.write(archive.subarray(at, at + pieceBytes)))
      files.set(member, (files.get(member) ?? '') + bytes.toString('latin1'))
  tar.end()
  return files
}

const LONG = `folder/${'n'.repeat(150)}.ndjson`
const base256 = (value: number): Buffer => {
  const bytes = Buffer.alloc(12)
  bytes[0] = 0x80
  bytes.writeUInt32BE(value, 8)
  return bytes
}

describe('the files of a tar archive', () => {
  const archive = tarOf([
    { name: 'a.ndjson', contents: 'x'.repeat(512) },
    { name: 'folder', contents: '', type: '5' },
    { name: 'empty.ndjson', contents: '' },
    { name: 'x', contents: paxRecord('mtime', '1') + paxRecord('path', LONG), type: 'x' },
    { name: 'cut', contents: 'long' },
    { name: 'L', contents: `${LONG}.2\0`, type: 'L' },
    { name: 'cut', contents: 'gnu' },
    { name: 'big.ndjson', contents: 'size', size: base256(4) },
    { name: 'x', contents: paxRecord('size', '3'), type: 'x' },
    { name: 'stated.ndjson', contents: 'abc', size: Buffer.from('00000000000\0') },
    { name: 'b.ndjson', contents: 'y' },
  ])

  test.each([1, 7, 511, 512, 513, 100_000])('in pieces of %i bytes', (pieceBytes) => {
    expect(read(archive, pieceBytes)).toEqual(
      new Map([
        ['a.ndjson', 'x'.repeat(512)],
        [LONG, 'long'],
        [`${LONG}.2`, 'gnu'],
        ['big.ndjson', 'size'],
        ['stated.ndjson', 'abc'],
        ['b.ndjson', 'y'],
      ]),
    )
  })

  test('end at its end, whatever follows', () => {
    expect(read(Buffer.concat([archive, Buffer.from('rubbish')])).size).toBe(6)
  })
})

describe('a tar archive', () => {
  test.each([
    ['in a header', 600],
    ['in contents', 1030],
    ['in padding', 1300],
  ])('that is cut off %s gives what came, and says so', (_place, bytes) => {
    const archive = tarOf([
      { name: 'a', contents: '12' },
      { name: 'b', contents: 'z'.repeat(600) },
    ]).subarray(0, bytes)
    const tar = new TarSplitter()
    const pieces = [...tar.write(archive)]
    expect(pieces[0]?.bytes.toString()).toBe('12')
    expect(() => tar.end()).toThrow('cut off')
  })

  test('may lack the blocks of zeros at its end', () => {
    expect(read(tarOf([{ name: 'a', contents: '1' }], { isEnded: false }))).toEqual(new Map([['a', '1']]))
  })

  test.each([
    ['a wrong checksum', (archive: Buffer) => (archive[0]! ^= 1)],
    ['no number as its size', (archive: Buffer) => void archive.write('9', 124)],
  ])('with %s is damaged', (_case, damage) => {
    const archive = tarOf([{ name: 'a', contents: '1' }])
    damage(archive)
    expect(isTar(archive)).toBe(false)
    expect(() => read(archive)).toThrow('damaged tar archive')
  })

  test('with facts of a file that have no length is damaged', () => {
    expect(() => read(tarOf([{ name: 'x', contents: '0 path=a\n', type: 'x' }]))).toThrow('damaged')
    expect(() => read(tarOf([{ name: 'x', contents: '99 path=a\n', type: 'x' }]))).toThrow('damaged')
  })

  test('is recognised by its header', () => {
    expect(isTar(tarOf([{ name: 'a', contents: '1' }]))).toBe(true)
    expect(isTar(Buffer.alloc(512))).toBe(false)
    expect(isTar(Buffer.from('{"a":1}'))).toBe(false)
  })
})
