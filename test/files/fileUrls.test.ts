import { expect, test } from 'vitest'
import { FileUrls } from '../../src/files/fileUrls.js'
import { facts } from '../support/files.js'

const settings = {
  mediaUrl: '',
  remoteFileUrl: 'http://wiki.example/images/{hash1}/{hash2}/{name}',
  remoteThumbnailUrl: 'http://wiki.example/images/thumb/{hash1}/{hash2}/{name}/{thumbnail}?w={width}',
  wikiFileUrl: '',
  wikiThumbnailUrl: '',
  fileDescriptionUrl: '',
  html: 'none',
}
const urls = new FileUrls(settings, 'http://127.0.0.1:8080/w')

test('another repository’s folders are those of MediaWiki', () => {
  expect(urls.original('Big.png', facts())).toBe('http://wiki.example/images/c/cc/Big.png')
  const rendering = { width: 800, height: 600, isOriginal: false }
  expect(urls.rendering('Big.png', facts(), rendering)).toBe(
    'http://wiki.example/images/thumb/c/cc/Big.png/800px-Big.png?w=800',
  )
  expect(urls.rendering('Big.png', facts(), { ...rendering, isOriginal: true })).toBe(
    'http://wiki.example/images/c/cc/Big.png',
  )
  expect(urls.rendering('Scan.tif', facts({ mimeType: 'image/tiff' }), rendering)).toContain(
    '/lossy-page1-800px-Scan.tif.jpg?',
  )
})

test('names with braces and signs of their own are not taken for places', () => {
  expect(urls.original('$&?.png', facts())).toMatch(/\/%24%26%3F\.png$/)
})

test('a description is a page of the API, as source where there is no HTML', () => {
  expect(urls.description('Big.png', 'File:Big.png')).toBe('http://127.0.0.1:8080/w/v1/page/File%3ABig.png')
})

test('a file whose contents are here can be shown without its size', () => {
  expect(urls.canShow(facts({ sha256: 'a'.repeat(64), width: null }))).toBe(true)
  expect(urls.canShow(facts({ width: null }))).toBe(false)
  expect(new FileUrls({ ...settings, remoteFileUrl: '' }, '').canShow(facts())).toBe(false)
})
