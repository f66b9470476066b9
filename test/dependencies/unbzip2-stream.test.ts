/** Properties of unbzip2-stream that the dump reader needs. The package has no types and documents none of them. */
import unbzip2Stream, { type Unbzip2Stream } from 'unbzip2-stream'
import { expect, test } from 'vitest'

/** `printf 'moon\n' | bzip2` */
const PACKED = Buffer.from('QlpoOTFBWSZTWSzD95oAAADBAAAQAAOgACGaaDNNMMeLuSKcKEgWYfvNAA==', 'base64')

function open(): { stream: Unbzip2Stream; got: string[]; errors: Error[] } {
  const stream = unbzip2Stream()
  const got: string[] = []
  const errors: Error[] = []
  stream.on('data', (bytes) => got.push(bytes.toString()))
  stream.on('error', (error) => errors.push(error))
  return { stream, got, errors }
}

test('unbzip2-stream has unpacked everything when `end` returns', () => {
  const { stream, got, errors } = open()
  stream.write(PACKED)
  stream.end()
  expect(errors).toEqual([])
  expect(got.join('')).toBe('moon\n')
})

test('unbzip2-stream has told of a fault when `write` or `end` returns', () => {
  const { stream, errors } = open()
  stream.write(Buffer.concat([PACKED.subarray(0, 20), Buffer.alloc(40), PACKED]))
  stream.end()
  expect(errors).toHaveLength(1)
})

test('unbzip2-stream tells of data that end early by a TypeError', () => {
  const { stream, errors } = open()
  stream.write(PACKED.subarray(0, 25))
  stream.end()
  expect(errors[0]).toBeInstanceOf(TypeError)
})
