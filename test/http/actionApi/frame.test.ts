/** Parameters of `/api.php` over a socket: errors, warnings, forms of answers, and hostile values. */
import { beforeAll, describe, expect, test } from 'vitest'
import { startGarden, type TestServer } from '../../conformance/garden.js'
import { rounds } from '../../support/effort.js'
import { randomNumbers } from '../../support/random.js'

let wiki: TestServer
beforeAll(async () => {
  wiki = await startGarden()
})

type Json = Readonly<Record<string, unknown>>
const ask = async (query: string): Promise<Json> => {
  const answer = await wiki.send(`/api.php?${query}`)
  expect(answer.status).toBe(200)
  return JSON.parse(answer.bytes.toString()) as Json
}
const query = (rest: string): Promise<Json> => ask(`action=query&format=json&formatversion=2&${rest}`)

test('statistics count the articles that {{NUMBEROFARTICLES}} counts', async () => {
  const text = encodeURIComponent('{{NUMBEROFARTICLES:R}} {{NUMBEROFPAGES:R}}')
  const { expandtemplates } = (await ask(
    `action=expandtemplates&format=json&formatversion=2&prop=wikitext&text=${text}`,
  )) as { expandtemplates: { wikitext: string } }
  const [articles, pages] = expandtemplates.wikitext.split(' ').map(Number)
  expect(articles).toBeGreaterThan(0)
  expect(articles).toBeLessThan(pages!)
  expect(await query('meta=siteinfo&siprop=statistics')).toMatchObject({
    query: { statistics: { articles, pages } },
  })
})

describe('a bad value', () => {
  test.each([
    [
      'of a number',
      'list=allpages&aplimit=x',
      'badinteger',
      'Invalid value "x" for integer parameter "aplimit".',
    ],
    ['of a word', 'list=allpages&apdir=up', 'badvalue', 'Unrecognized value for parameter "apdir": up.'],
    [
      'of a namespace',
      'list=allpages&apnamespace=77',
      'badvalue',
      'Unrecognized value for parameter "apnamespace": 77.',
    ],
    [
      'of a time',
      'prop=revisions&titles=Moon&rvstart=soon',
      'badtimestamp',
      'Invalid value "soon" for timestamp parameter "rvstart".',
    ],
    [
      'of a user',
      'prop=revisions&titles=Moon&rvuser=%23',
      'baduser',
      'Invalid value "#" for user parameter "rvuser".',
    ],
    [
      'of a place to go on',
      'list=allpages&continue=odd',
      'badcontinue',
      'Invalid continue param. You should pass the original value returned by the previous query.',
    ],
    ['that is missing', 'list=search', 'missingparam', 'The "srsearch" parameter must be set.'],
    [
      'of a generator',
      'generator=info&titles=Moon',
      'badgenerator',
      'Module "info" cannot be used as a generator.',
    ],
    [
      'beside another',
      'titles=Moon&pageids=1',
      'multisource',
      'The "pageids" parameter cannot be used with "titles".',
    ],
  ])('%s is an error', async (_case, rest, code, info) => {
    expect(await query(rest)).toMatchObject({ error: { code, info } })
  })

  test('of a list is a warning, and the rest is answered', async () => {
    expect(await query('meta=siteinfo&siprop=rightsinfo|stars')).toMatchObject({
      warnings: { siteinfo: { warnings: 'Unrecognized value for parameter "siprop": stars' } },
      query: { rightsinfo: {} },
    })
  })

  test('out of range is a warning, and the nearest one counts', async () => {
    const text = 'The value "501" for parameter "aplimit" must be between 1 and 500.'
    expect(await query('list=allpages&aplimit=501')).toMatchObject({
      warnings: { allpages: { warnings: text } },
    })
  })

  test('is listed with its module in newer forms of errors', async () => {
    expect(await query('list=allpages&aplimit=x&errorformat=plaintext')).toMatchObject({
      errors: [{ code: 'badinteger', module: 'query+allpages' }],
    })
  })

  test('among more than fifty is an error', async () => {
    const ids = Array.from({ length: 51 }, (_, n) => n).join('|')
    expect(await query(`pageids=${ids}`)).toMatchObject({ error: { code: 'toomanyvalues', limit: 50 } })
  })
})

describe('an answer', () => {
  test('to a script calls its function, which has only harmless letters', async () => {
    const answer = await wiki.send('/api.php?action=query&format=json&callback=alert(1)%3B')
    expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(answer.bytes.toString()).toBe('/**/alert1({"batchcomplete":""})')
  })

  test('may be read by scripts of all sites if the request says so', async () => {
    const open = await wiki.send('/api.php?action=query&format=json&origin=*')
    expect(open.headers['access-control-allow-origin']).toBe('*')
    const closed = await wiki.send('/api.php?action=query&format=json')
    expect(closed.headers).not.toHaveProperty('access-control-allow-origin')
    const wrong = await wiki.send('/api.php?action=query&format=json&origin=https://elsewhere.example')
    expect(wrong.status).toBe(403)
  })

  test('without a format is a page for people, and help without an action', async () => {
    const result = await wiki.send('/api.php?action=query&titles=<b>')
    expect(result.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(result.bytes.toString()).not.toContain('<b>')
    expect((await wiki.send('/api.php')).bytes.toString()).toContain('categorymembers')
  })

  test('goes on where the last one ended', async () => {
    const titles: string[] = []
    let more = ''
    do {
      const { continue: next, query: result } = (await query(`list=allpages&aplimit=1${more}`)) as {
        continue?: Record<string, string>
        query: { allpages: { title: string }[] }
      }
      titles.push(...result.allpages.map(({ title }) => title))
      more = next === undefined ? '' : `&${new URLSearchParams(next).toString()}`
    } while (more !== '')
    const { query: all } = (await query('list=allpages&aplimit=max')) as {
      query: { allpages: { title: string }[] }
    }
    expect(titles).toEqual(all.allpages.map(({ title }) => title))
  })

  test('is kept for the next one who asks, and not for those with tokens', async () => {
    const one = await wiki.send('/api.php?action=query&format=json&meta=tokens&type=login')
    const other = await wiki.send('/api.php?action=query&format=json&meta=tokens&type=login')
    expect(one.bytes.toString()).not.toBe(other.bytes.toString())
  })
})

describe('hostile parameters', () => {
  const NAMES =
    'titles pageids revids prop list meta generator continue redirects format formatversion callback errorformat origin aplimit apfrom apprefix apcontinue rvprop rvlimit rvstart rvcontinue cmtitle cmcontinue srsearch sroffset pssearch clcontinue imcontinue gapcontinue ggg siprop ammessages uselang action'.split(
      ' ',
    )
  const VALUES = [
    '',
    '|',
    '\x1f',
    '*',
    '-1',
    '99999999999999999999',
    '1e3',
    'max',
    'a'.repeat(3000),
    '|'.repeat(200),
    'Moon',
    'Moon|Sun',
    '__proto__',
    'constructor',
    '../x',
    '%00',
    '\u202e',
    '\ud83d',
    '<script>',
    'info|revisions|categories',
    'allpages|search',
    'siteinfo|tokens',
    'query',
    'page|00|1',
    '20260101000000|1',
    '1|x',
    '\'"',
    '{{x}}',
    'x\r\nSet-Cookie: a=b',
  ]
  test('never break the server', async () => {
    const random = randomNumbers(7)
    const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)]!
    for (let round = 0; round < rounds(3000, 200); round++) {
      const fields = new URLSearchParams({ action: 'query', format: 'json' })
      for (let n = 0; n < 5; n++) fields.set(pick(NAMES), pick(VALUES).toWellFormed())
      const { status } = await wiki.send(`/api.php?${fields.toString()}`)
      expect([200, 403, 414, 431], fields.toString()).toContain(status)
    }
  })

  test('of many names are answered', async () => {
    const many = Array.from({ length: 500 }, (_, n) => `x${n}=1`).join('&')
    expect(await ask(`action=query&format=json&${many}`)).toHaveProperty('warnings')
  })
})
