import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import type { Site } from '../../src/domain/site.js'
import { parseTitle, prefixedText, titleFromDump, undeclaredNamespace } from '../../src/domain/title.js'
import { describeShared } from '../support/shared.js'

const english = new Namespaces(DEFAULT_SITE)

describe('titleFromDump', () => {
  test.each([
    ['an article', 'Foo bar', 0, { namespace: 0, dbkey: 'Foo_bar' }],
    ['an article with a colon', 'Main: not a namespace', 0, { namespace: 0, dbkey: 'Main:_not_a_namespace' }],
    ['a template', 'Template:Known', 10, { namespace: 10, dbkey: 'Known' }],
    ['an old image name', 'Image:A.png', 6, { namespace: 6, dbkey: 'A.png' }],
    ['no stated namespace', 'Talk:Foo bar', undefined, { namespace: 1, dbkey: 'Foo_bar' }],
    ['no stated namespace and no prefix', 'Star: a tale', undefined, { namespace: 0, dbkey: 'Star:_a_tale' }],
    [
      'a namespace under a name that the site lacks',
      'Faidhle:A.png',
      6,
      { namespace: 0, dbkey: 'Faidhle:A.png' },
    ],
    ['a stated namespace without a prefix', 'Foo', 10, { namespace: 0, dbkey: 'Foo' }],
    ['a lower-case letter', 'foo', 0, { namespace: 0, dbkey: 'Foo' }],
    ['a letter that would become two', 'ß', 0, { namespace: 0, dbkey: 'ß' }],
    ['a ligature', 'ﬁ', 0, { namespace: 0, dbkey: 'ﬁ' }],
    ['decomposed accents', 'Cafe\u0301', 0, { namespace: 0, dbkey: 'Café' }],
  ])('takes %s', (_case, full, namespace, title) => {
    expect(titleFromDump(full, namespace, english)).toEqual({ ok: true, title })
  })

  test.each([
    ['a declared prefix in the main namespace', 'Talk:Foo', 0, 'namespace-mismatch'],
    ['a prefix of another namespace', 'Talk:Foo', 10, 'namespace-mismatch'],
    ['a namespace that the site lacks', 'Gadget:Clock', 2300, 'undeclared-namespace'],
    ['an empty title', '', 0, 'empty'],
    ['a prefix alone', 'Talk:', 1, 'empty'],
    ['a leading colon', ':Foo', 0, 'leading-colon'],
    ['a number sign', 'C#', 0, 'invalid-characters'],
    ['a forbidden character', 'A|b', 0, 'invalid-characters'],
    ['a percent code', 'A%20b', undefined, 'invalid-characters'],
    ['a title that is too long', 'A'.repeat(256), 0, 'too-long'],
  ])('refuses %s', (_case, full, namespace, error) => {
    expect(titleFromDump(full, namespace, english)).toEqual({ ok: false, error })
  })
})

describe('undeclaredNamespace', () => {
  test('names the namespace after the prefix', () => {
    expect(undeclaredNamespace('Gadget definition:Clock', 2302, english)).toEqual({
      id: 2302,
      name: 'Gadget definition',
      case: 'first-letter',
    })
  })

  test.each([
    ['the main namespace', 'Main: not a namespace', 0],
    ['a declared namespace', 'Template:Known', 10],
    ['a title without a prefix', 'Clock', 2300],
    ['a prefix that is another namespace', 'Talk:Clock', 2300],
    ['an empty prefix', ':Clock', 2300],
    ['a prefix that no title may have', 'A|b:Clock', 2300],
  ])('has nothing to declare for %s', (_case, full, namespace) => {
    expect(undeclaredNamespace(full, namespace, english)).toBeUndefined()
  })

  test('makes the page addressable once it is declared', () => {
    const declared = undeclaredNamespace('Gadget:Clock', 2300, english)
    const site: Site = {
      ...DEFAULT_SITE,
      namespaces: [...DEFAULT_SITE.namespaces, ...(declared ? [declared] : [])],
    }
    const namespaces = new Namespaces(site)
    const title = { namespace: 2300, dbkey: 'Clock' }
    expect(titleFromDump('Gadget:Clock', 2300, namespaces)).toEqual({ ok: true, title })
    expect(parseTitle('gadget:clock', namespaces)).toEqual({ ok: true, title, fragment: '' })
  })
})

describeShared('odd dumps', 'corpus/odd', (folder) => {
  test.each([
    ['unknown-namespace.xml', 4],
    ['title-255-bytes.xml', 3],
    ['redirects.xml', 8],
    ['schema-0.3.xml', 4],
    ['schema-0.10.xml', 4],
  ])('%s: each page has exactly the title that the dump gives', (file, count) => {
    const pages = readFileSync(join(folder, file), 'utf8').split('<page>').slice(1)
    expect(pages).toHaveLength(count)
    let site = DEFAULT_SITE
    for (const page of pages) {
      const full = /<title>([^<]*)/.exec(page)?.[1] ?? ''
      const stated = /<ns>(\d+)/.exec(page)?.[1]
      const namespace = stated === undefined ? undefined : Number(stated)
      const declared = undeclaredNamespace(full, namespace ?? 0, new Namespaces(site))
      if (declared) site = { ...site, namespaces: [...site.namespaces, declared] }
      const namespaces = new Namespaces(site)
      const result = titleFromDump(full, namespace, namespaces)
      if (!result.ok) expect.fail(`${full}: ${result.error}`)
      expect(result.title.namespace).toBe(namespace ?? result.title.namespace)
      expect(prefixedText(result.title, namespaces)).toBe(full)
      expect(parseTitle(full, namespaces)).toEqual({ ...result, fragment: '' })
    }
  })
})
