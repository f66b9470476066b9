import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { languageName } from '../../src/domain/languageNames.js'
import { describeShared } from '../support/shared.js'

describe('language names', () => {
  test.each([
    ['de', 'Deutsch'],
    ['zh-hant', '中文（繁體）'],
    ['zh-hans', '中文（简体）'],
    ['simple', 'Simple English'],
    ['als', 'Alemannisch'],
    ['be-tarask', 'беларуская (тарашкевіца)'],
    ['be-x-old', 'беларуская (тарашкевіца)'],
    ['bat-smg', 'žemaitėška'],
    ['roa-rup', 'armãneashti'],
    ['zh-min-nan', 'Bân-lâm-gú'],
    ['map-bms', 'Basa Banyumasan'],
    ['cbk-zam', 'Chavacano de Zamboanga'],
    ['fiu-vro', 'võro'],
    ['zh-yue', '粵語'],
    ['zh-classical', '文言'],
    ['nds-nl', 'Nedersaksies'],
    ['no', 'norsk'],
    ['sh', 'srpskohrvatski / српскохрватски'],
    ['ak', 'Akan'],
    ['he', 'עברית'],
    ['kus', 'Kʋsaal'],
  ])('%s is %s', (code, name) => {
    expect(languageName(code)).toBe(name)
  })

  test.each(['', 'w', 'wikt', 'commons', 'doi', 'file', 'category', 'help', 'xx', 'DE', 'constructor'])(
    '%j is no language',
    (code) => {
      expect(languageName(code)).toBeUndefined()
    },
  )
})

describeShared("MediaWiki's own list of languages", 'oracle/html/siteinfo.json', (path) => {
  test('has the same names', () => {
    const siteinfo = JSON.parse(readFileSync(path, 'utf8')) as {
      query: { languages: { code: string; name: string }[] }
    }
    const ours = siteinfo.query.languages.map(({ code }) => [code, languageName(code)])
    expect(ours).toEqual(siteinfo.query.languages.map(({ code, name }) => [code, name.trim()]))
    expect(ours.length).toBeGreaterThan(400)
  })
})
