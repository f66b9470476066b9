import { describe, expect, test } from 'vitest'
import {
  isOffered,
  LARGEST_BOX,
  pictureSize,
  PREFERRED_BOX,
  pictureName,
  pictureWithin,
  thumbnailFor,
  WIDTH_STEPS,
} from '../../src/files/pictureForms.js'
import { facts } from '../support/files.js'

const PNG = 'image/png'
const SVG = 'image/svg+xml'

describe('a rendering within a box', () => {
  test.each([
    [1200, 900, 800, 600],
    [1600, 800, 800, 400],
    [600, 1200, 300, 600],
    [1, 100_000, 1, 100_000],
    [800, 600, 800, 600],
    [50, 40, 50, 40],
  ])('of %i × %i is %i × %i', (width, height, toWidth, toHeight) => {
    const rendering = pictureWithin({ width, height }, PREFERRED_BOX, PNG)
    expect(rendering).toEqual({ width: toWidth, height: toHeight, isOriginal: width === toWidth })
  })

  test('leaves the box only where it would be thinner than a pixel', () => {
    expect(pictureWithin({ width: 2, height: 5000 }, PREFERRED_BOX, PNG)).toMatchObject({
      width: 1,
      height: 2500,
    })
    for (let width = 7; width < 4000; width += 37) {
      for (let height = 1; height < 4000; height += 41) {
        const rendering = pictureWithin({ width, height }, PREFERRED_BOX, PNG)
        expect(rendering.width).toBeLessThanOrEqual(Math.min(width, 800))
        expect(rendering.height).toBeLessThanOrEqual(600)
        expect(Math.min(rendering.width, rendering.height)).toBeGreaterThanOrEqual(1)
      }
    }
  })

  test('is always made from a drawing', () => {
    expect(pictureWithin({ width: 30, height: 20 }, LARGEST_BOX, SVG).isOriginal).toBe(false)
  })
})

describe('a thumbnail', () => {
  test.each([
    [1, 20],
    [60, 60],
    [61, 120],
    [220, 250],
    [801, 960],
    [1100, 1200],
    [9999, 1200],
  ])('for a width of %i is %i wide', (asked, width) => {
    const size = { width: 1200, height: 900 }
    expect(thumbnailFor(size, asked, PNG)).toEqual({
      width,
      height: Math.round((width * 3) / 4),
      isOriginal: width === 1200,
    })
  })

  test('is one that is offered, or the file itself', () => {
    for (const size of [
      { width: 3000, height: 2400 },
      { width: 437, height: 1000 },
      { width: 10, height: 9 },
    ]) {
      for (let width = 1; width < 3000; width += 13) {
        const rendering = thumbnailFor(size, width, PNG)
        expect(rendering.isOriginal || isOffered(size, rendering.width, PNG)).toBe(true)
      }
    }
  })
})

test('few widths of a picture are offered', () => {
  const size = { width: 3000, height: 2413 }
  const offered = Array.from({ length: 4000 }, (_, n) => n + 1).filter((width) => isOffered(size, width, PNG))
  expect(offered).toEqual([...WIDTH_STEPS.filter((width) => width < 2546), 745, 2546].sort((a, b) => a - b))
})

test('a scaled picture is named after the file, with its own ending', () => {
  expect(pictureName('Big.png', 800, PNG)).toBe('800px-Big.png')
  expect(pictureName('Plan.svg', 800, SVG)).toBe('800px-Plan.svg.png')
  expect(pictureName('Scan.tif', 800, 'image/tiff')).toBe('800px-Scan.tif.jpg')
})

test.each([
  ['an unknown width', { width: null, height: null }],
  ['no picture', { width: 0, height: 0 }],
  ['too many pixels', { width: 10_001, height: 10_000 }],
  ['a type that is not scaled', { mimeType: 'image/x-xcf' }],
])('a file with %s has no picture to scale', (_what, parts) => {
  expect(pictureSize(facts(parts))).toBeUndefined()
})
