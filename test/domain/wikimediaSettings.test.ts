import { expect, test } from 'vitest'
import { wikimediaSettings } from '../../src/domain/wikimediaSettings.js'

test.each([
  ['frwikisource', { subpages: { 0: true } }],
  ['be_x_oldwikibooks', { subpages: { 0: true } }],
  ['metawiki', { subpages: { 0: true } }],
  ['arwiki', { localDigits: false }],
  ['arwikisource', { subpages: { 0: true } }],
  ['fawiki', {}],
  ['enwiktionary', {}],
  ['', {}],
  ['my-wikibooks', {}],
])('what is known of %s', (wikiId, settings) => {
  expect(wikimediaSettings(wikiId)).toEqual(settings)
})
