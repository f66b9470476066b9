import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../src/domain/namespaces.js'
import { withProjectNamedAfterSite } from '../../src/domain/projectNamespace.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { parseTitle } from '../../src/domain/title.js'

const namespacesOf = (name: string): Namespaces =>
  new Namespaces(withProjectNamedAfterSite({ ...DEFAULT_SITE, name }))
const namesOf = (name: string): unknown[] => [4, 5].map((id) => namespacesOf(name).nameOf(id))

describe('the project namespace', () => {
  test.each([
    ['Mywiki', 'Mywiki'],
    ['  my_wiki  of   maps ', 'my wiki of maps'],
    ['AT&T', 'AT&T'],
    ['Wikipédia', 'Wikipédia'],
    ['../ and so on', '../ and so on', 'Project'],
    ['4', '4'],
    ['Portal', 'Portal'],
    ['project', 'project'],
  ])('is named after a site "%s"', (name, expected, kept = expected) => {
    expect(namesOf(name)).toEqual([kept, `${kept} talk`])
  })

  test.each([
    ['an empty name', ''],
    ['blanks', ' _ '],
    ['a colon', 'My: wiki'],
    ['a number sign', 'C# wiki'],
    ['a bar', 'A|B'],
    ['brackets', '[wiki]'],
    ['a line break', 'My\nwiki'],
    ['a part of a path', '..'],
    ['a signature', '~~~'],
    ['a character reference, which titles decode', 'A&amp;B'],
    ['a direction mark, which titles lose', 'My\u200ewiki'],
    ['more bytes than a title has', 'a'.repeat(256)],
    ['half of a pair', 'a\ud800'],
    ['another namespace', 'help'],
    ['another talk namespace', 'User_Talk'],
    ['its own talk namespace', 'Project talk'],
    ['an alias of another namespace', 'Image'],
  ])('stays Project for %s', (_case, name) => {
    expect(namesOf(name)).toEqual(['Project', 'Project talk'])
  })

  test('is found by its own and by its canonical name', () => {
    const namespaces = namespacesOf('Mywiki')
    for (const text of ['Mywiki:About', 'mywiki : about', 'Project:About', 'MYWIKI:About']) {
      expect(parseTitle(text, namespaces)).toMatchObject({
        ok: true,
        title: { namespace: 4, dbkey: expect.stringMatching(/^[Aa]bout$/i) as string },
      })
    }
    expect(namespaces.canonicalName(4)).toBe('Project')
    expect(namespaces.idByName('Project talk')).toBe(5)
    expect(namespaces.idByName('mywiki_TALK')).toBe(5)
  })
})
