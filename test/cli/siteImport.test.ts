/** `palimpsest site import`, and the keys of `site set` that no dump has. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { writeMeta } from '../../src/storage/tables/meta.js'
import { Following } from '../support/upstream.js'
import { dumpXml, type DumpPage } from '../support/dump.js'
import { runHosted } from '../support/command.js'
import { problems, temporaryFolder } from '../support/store.js'

type Json = Readonly<Record<string, unknown>>

const page = (id: number, title: string, text: string, namespace = 0): DumpPage => ({
  id,
  title,
  namespace,
  revisions: [{ id, text }],
})
const PAGES = [
  page(1, 'Moon', '[[WP:About]] [[/Phases]] [[Ma:Sun]]'),
  page(2, 'Project:About', 'about', 4),
  page(3, 'Old', '#REDIRECT [[WP:About]]'),
]

/** A wiki of a dump. */
function wiki(pages: readonly DumpPage[] = PAGES): string {
  const folder = temporaryFolder()
  const dump = join(folder, 'dump.xml')
  writeFileSync(dump, dumpXml(pages))
  expect(runHosted(['import', '--quiet', '--data-dir', folder, dump])).toMatchObject({ status: 0 })
  return folder
}

const NAMES = ['', 'Talk', 'User', 'User talk', 'Test', 'Test talk', 'File', 'File talk']
const GENERAL = {
  sitename: 'Test wiki',
  wikiid: 'testwiki',
  lang: 'ar',
  base: 'http://wiki.example/wiki/Main_Page',
  case: 'first-letter',
  logo: 'http://wiki.example/logo.png',
}
const ANSWER: Json = {
  general: GENERAL,
  namespaces: Object.fromEntries(
    [...NAMES.entries(), [14, 'Category'] as const].map(([id, name]) => [
      id,
      { id, name, case: 'first-letter', subpages: id !== 6 },
    ]),
  ),
  namespacealiases: [{ id: 4, alias: 'WP' }],
  interwikimap: [{ prefix: 'ma', url: 'http://mars.example/$1' }],
  functionhooks: ['if', 'len'],
  rightsinfo: { url: 'http://wiki.example/licence', text: 'Ours' },
}

function imported(folder: string, answer: unknown) {
  const file = join(folder, 'siteinfo.json')
  writeFileSync(file, typeof answer === 'string' ? answer : JSON.stringify(answer))
  return runHosted(['site', 'import', '--data-dir', folder, file])
}

const shown = (folder: string): Map<string, string> => {
  const { out } = runHosted(['site', '--data-dir', folder])
  return new Map(out.split('\n').map((line) => [line.split(' ')[0]!, line.replace(/^\S+ */, '')]))
}

function expanded(folder: string, text: string): string {
  const file = join(folder, 'text')
  writeFileSync(file, text)
  return runHosted(['expand', '--data-dir', folder, file]).out.trimEnd()
}

/** Reads a store that no process writes to. */
async function reading<Result>(folder: string, read: (store: Store) => Result): Promise<Result> {
  const store = Store.open(folder)
  try {
    return read(store)
  } finally {
    await store.close()
  }
}

describe('palimpsest site import', () => {
  test('takes over what the wiki says, and says what depends on it', () => {
    const folder = wiki()
    const text = '{{#len:abc}} {{formatnum:1234}} {{NAMESPACE:WP:X}} {{SUBPAGENAME:A/b}}'
    expect(expanded(folder, text)).toBe('[[:10:]] 1,234  A/b')
    const { status, out } = imported(folder, { query: ANSWER })
    expect(status).toBe(0)
    expect(out).toMatch(/^language +en +→ +ar$/m)
    expect(out).toMatch(/^aliases +\(none\) +→ +WP=4$/m)
    expect(out).toMatch(/^stringFunctions +no +→ +yes$/m)
    expect(out).toMatch(/^1 prefixes of other wikis$/m)
    expect(out).toContain('made again at its next request')
    expect(out).toContain('Run "palimpsest reindex": words and links in texts depend on language, subpages.')
    expect(expanded(folder, text)).toBe('3 ١٬٢٣٤ Test b')
    const site = shown(folder)
    expect([site.get('licenseTitle'), site.get('logo')]).toEqual(['Ours', 'http://wiki.example/logo.png'])
  })

  test('makes names of namespaces lead to their pages, and redirects with them', async () => {
    const folder = wiki()
    imported(folder, { query: { ...ANSWER, general: { ...GENERAL, lang: 'en' } } })
    expect(runHosted(['reindex', '--data-dir', folder])).toMatchObject({ status: 0 })
    await reading(folder, (store) => {
      expect(problems(store)).toEqual([])
      expect(store.namespaces().idByName('wp')).toBe(4)
      const from = (namespace: number, name: string) =>
        [...store.pageLinks.uses('link', namespace, { from: name, to: `${name}\0` })].map(
          ({ pageId }) => pageId,
        )
      expect([from(4, 'About'), from(0, 'Moon/Phases'), from(0, 'WP:About')]).toEqual([[1, 3], [1], []])
      expect([...store.interwiki().keys()]).toEqual(['ma'])
    })
  })

  test('writes no entry for an answer that says nothing new, and later dumps do not undo it', async () => {
    const folder = wiki()
    imported(folder, { query: ANSWER })
    const entries = () => reading(folder, (store) => store.position().sequence)
    const before = await entries()
    expect(imported(folder, { query: ANSWER }).out).toBe('nothing has changed\n')
    expect(await entries()).toBe(before)
    const dump = join(folder, 'dump.xml')
    writeFileSync(
      dump,
      dumpXml(PAGES).replace('</namespaces>', '<namespace key="100">Portal</namespace></namespaces>'),
    )
    expect(runHosted(['import', '--quiet', '--data-dir', folder, dump])).toMatchObject({ status: 0 })
    const site = shown(folder)
    expect([site.get('language'), site.get('aliases'), site.get('case')]).toEqual([
      'ar',
      'WP=4',
      'first-letter',
    ])
    expect(site.get('namespaces')).toMatch(/^=0\|.*\|Test=4\|.*Portal=100$/)
  })

  test('may come before the dump', () => {
    const folder = temporaryFolder()
    expect(imported(folder, { query: ANSWER })).toMatchObject({ status: 0, err: '' })
    const dump = join(folder, 'dump.xml')
    writeFileSync(dump, dumpXml(PAGES))
    expect(runHosted(['import', '--quiet', '--data-dir', folder, dump])).toMatchObject({ status: 0 })
    expect(shown(folder).get('aliases')).toBe('WP=4')
    expect(runHosted(['verify', '--data-dir', folder])).toMatchObject({ status: 0 })
  })

  test('is replayed from the log', () => {
    const folder = wiki()
    imported(folder, { query: ANSWER })
    const into = join(temporaryFolder(), 'again')
    const line = ['replay', '--data-dir', folder, '--into', into, join(folder, 'dump.xml')]
    expect(runHosted(line)).toMatchObject({
      status: 0,
      out: expect.stringContaining('the stores are equal') as string,
    })
  })

  test.each<[string, unknown, RegExp]>([
    ['no JSON', 'sitename=x', /is not valid JSON/],
    ['a list', [], /is no answer to meta=siteinfo.*a whole answer/],
    ['null', null, /is no answer/],
    ['a number', 7, /is no answer/],
    ['half of an answer', JSON.stringify({ query: ANSWER }).slice(0, 200), /is not valid JSON/],
    [
      'an error',
      { error: { code: 'readapidenied', info: 'You need read permission.' } },
      /error of the wiki.*readapidenied/,
    ],
    ['no query', { batchcomplete: true }, /is no answer.*query/],
    ['no namespaces', { query: { general: GENERAL } }, /is no answer.*namespaces/],
    ['no general', { query: { ...ANSWER, general: undefined } }, /is no answer.*general/],
    [
      'a name that is a number',
      { query: { ...ANSWER, general: { ...GENERAL, sitename: 1 } } },
      /is no answer.*sitename/,
    ],
    [
      'a very long name',
      { query: { ...ANSWER, general: { ...GENERAL, sitename: 'x'.repeat(5000) } } },
      /is no answer.*sitename/,
    ],
    [
      'half of a letter',
      { query: { ...ANSWER, general: { ...GENERAL, sitename: '\ud800' } } },
      /is no answer.*sitename/,
    ],
    [
      'odd aliases',
      { query: { ...ANSWER, namespacealiases: [7] } },
      /odd part, and nothing is changed: namespacealiases/,
    ],
    [
      'an odd prefix',
      { query: { ...ANSWER, interwikimap: [{ prefix: 1 }] } },
      /odd part, and nothing is changed: interwiki prefix/,
    ],
    [
      'the answer of another wiki',
      { query: { ...ANSWER, general: { ...GENERAL, wikiid: 'marswiki' } } },
      /holds the wiki "testwiki", but .* is of "marswiki"/,
    ],
    ['9 MB', `{"query":{"x":"${'x'.repeat(9e6)}"}}`, /has 9000018 bytes, more than/],
  ])('refuses %s, and changes nothing', (_what, answer, message) => {
    const folder = wiki()
    const before = shown(folder)
    const { status, out, err } = imported(folder, answer)
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toMatch(message)
    expect(err.split('\n')).toHaveLength(2)
    expect(shown(folder)).toEqual(before)
  })

  test('refuses names that would hide a page', () => {
    const folder = wiki([page(1, 'WP:Moon', 'moon')])
    expect(imported(folder, { query: ANSWER })).toMatchObject({
      status: 1,
      err: expect.stringContaining('the page "WP:Moon" could not be found any more') as string,
    })
  })

  test('refuses a store that follows a wiki', async () => {
    const folder = temporaryFolder()
    const store = Store.open(folder, { create: true })
    new Following(store, new Applier(store)).batch({})
    await store.close()
    expect(imported(folder, { query: ANSWER })).toMatchObject({
      status: 1,
      err: expect.stringContaining('the store follows https://wiki.example/api.php') as string,
    })
  })
})

test('a cluster whose programs may not know the rules is upgraded first', async () => {
  const folder = wiki()
  const store = Store.open(folder)
  const origin = { epoch: 'e'.repeat(32), sequence: 0, digest: '0'.repeat(64), version: 1 }
  store.transact(() => writeMeta(store.tables, 'membership', origin))
  await store.close()
  for (const { status, err } of [
    imported(folder, { query: ANSWER }),
    runHosted(['site', 'set', '--data-dir', folder, 'aliases', 'WP=4']),
  ]) {
    expect(status).toBe(1)
    expect(err).toMatch(/the log of the cluster has version 1.*"palimpsest cluster upgrade"/)
  }
})

describe('palimpsest site set', () => {
  test('changes rules that no dump has', () => {
    const folder = wiki()
    const set = (key: string, value: string) => runHosted(['site', 'set', '--data-dir', folder, key, value])
    expect(set('aliases', 'WP=4|W_T=5').out).toBe('aliases         WP=4|W T=5\n')
    expect(set('subpages', '0|2').out).toBe('subpages        0|2\n')
    expect(set('language', 'hi')).toMatchObject({ status: 0 })
    expect(expanded(folder, '{{formatnum:12}} {{SUBPAGENAME:A/b}}')).toBe('१२ b')
    expect(set('localDigits', 'no').out).toBe('localDigits     no\n')
    expect(expanded(folder, '{{formatnum:12}} {{#time:Y|2020}}')).toBe('12 2020')
    expect(set('stringFunctions', 'yes').out).toBe('stringFunctions yes\n')
    expect(expanded(folder, '{{#pos:abc|c}}')).toBe('2')
  })

  test.each([
    ['aliases', 'WP', '"" is no number'],
    ['aliases', 'WP=99', 'the wiki has no namespace 99'],
    ['subpages', 'all', '"all" is no number'],
    ['localDigits', 'off', '"off" is neither "yes" nor "no"'],
    ['protocols', 'https://', 'see "palimpsest site import"'],
    ['constructor', 'x', 'there is no key "constructor"'],
  ])('refuses %s %s', (key, value, message) => {
    expect(runHosted(['site', 'set', '--data-dir', temporaryFolder(), key, value])).toMatchObject({
      status: 1,
      err: expect.stringContaining(message) as string,
    })
  })
})
