import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import type { Namespace, TitleCase } from '../../src/domain/site.js'

function namespace(id: number, name: string, titleCase: TitleCase = 'first-letter'): Namespace {
  return { id, name, case: titleCase }
}

const english = new Namespaces(DEFAULT_SITE)
const german = new Namespaces({
  case: 'first-letter',
  namespaces: [
    namespace(0, ''),
    namespace(1, 'Diskussion'),
    namespace(2, 'Benutzer'),
    namespace(4, 'Wikipedia'),
    namespace(6, 'Datei'),
    namespace(7, 'Datei Diskussion'),
    namespace(100, 'Portal'),
    namespace(828, 'Modul'),
  ],
})

describe('namespaces by name', () => {
  test.each([
    ['the local name', german, 'Datei', 6],
    ['any case', german, 'dATEI', 6],
    ['underscores', german, 'Datei_Diskussion', 7],
    ['runs of blanks and underscores at the ends and inside', german, ' Datei _ diskussion_', 7],
    ['the English canonical name', german, 'File', 6],
    ['the English alias Image', german, 'image', 6],
    ['the English alias Image talk', german, 'Image_talk', 7],
    ['Project for the namespace named after the site', german, 'Project', 4],
    ['Module for a localised Lua namespace', german, 'module', 828],
    ['a name of the site alone', german, 'portal', 100],
    ['Special', english, 'special', -1],
  ])('finds %s', (_case, namespaces, name, id) => {
    expect(namespaces.idByName(name)).toBe(id)
  })

  test.each([
    ['the empty name', ''],
    ['blanks', ' _'],
    ['an unknown name', 'Gadget'],
    ['a canonical name of a namespace that the site does not declare', 'Template'],
    ['a name of Object', 'constructor'],
  ])('does not find %s', (_case, name) => {
    expect(german.idByName(name)).toBeUndefined()
  })

  test('prefers a local name to an English one', () => {
    const odd = new Namespaces({
      case: 'first-letter',
      namespaces: [namespace(0, ''), namespace(4, 'Help'), namespace(12, 'Hilfe')],
    })
    expect(odd.idByName('Help')).toBe(4)
    expect(odd.idByName('Hilfe')).toBe(12)
  })

  test.each([
    ['dotless i', 'Kullanıcı', 'KULLANICI'],
    ['final sigma', 'Χρήστης', 'ΧΡΉΣΤΗΣ'],
    ['decomposed accents', 'Wikipe\u0301dia', 'wikipédia'],
  ])('folds %s', (_case, name, asked) => {
    const namespaces = new Namespaces({ case: 'first-letter', namespaces: [namespace(2, name)] })
    expect(namespaces.idByName(asked)).toBe(2)
  })
})

describe('namespaces by number', () => {
  test('give the local name', () => {
    expect(german.nameOf(7)).toBe('Datei Diskussion')
    expect(german.nameOf(0)).toBe('')
    expect(german.byId(100)).toEqual(namespace(100, 'Portal'))
  })

  test('are undefined when the site does not declare them', () => {
    expect(german.nameOf(2300)).toBeUndefined()
    expect(german.byId(2300)).toBeUndefined()
  })

  test('give the prefix of a key', () => {
    expect(german.keyPrefix(7)).toBe('Datei_Diskussion:')
    expect(german.keyPrefix(0)).toBe('')
    expect(german.keyPrefix(2300)).toBe('2300:')
    expect(new Namespaces({ case: 'first-letter', namespaces: [] }).keyPrefix(0)).toBe('')
  })

  test('know their first-letter rule, the undeclared ones that of the site', () => {
    const wiktionary = new Namespaces({
      case: 'case-sensitive',
      namespaces: [namespace(0, '', 'case-sensitive'), namespace(2, 'User', 'first-letter')],
    })
    expect(wiktionary.raisesFirstLetter(0)).toBe(false)
    expect(wiktionary.raisesFirstLetter(2)).toBe(true)
    expect(wiktionary.raisesFirstLetter(99)).toBe(false)
    expect(wiktionary.defaultCase).toBe('case-sensitive')
  })
})
