import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { languageName } from '../../src/domain/languageNames.js'

const SITEINFO = join(import.meta.dirname, '../../../shared/oracle/html/siteinfo.json')

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

const siteTitle = "MediaWiki's own list in the shared corpus" + (existsSync(SITEINFO) ? '' : ' (absent)')
describe.skipIf(!existsSync(SITEINFO))(siteTitle, () => {
  test('has the same names', () => {
    const siteinfo = JSON.parse(readFileSync(SITEINFO, 'utf8')) as {
      query: { languages: { code: string; name: string }[] }
    }
    const ours = siteinfo.query.languages.map(({ code }) => [code, languageName(code)])
    expect(ours).toEqual(siteinfo.query.languages.map(({ code, name }) => [code, name.trim()]))
    expect(ours.length).toBeGreaterThan(400)
  })
})
