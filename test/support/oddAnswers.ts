/** Answers that no wiki should give, by kind. Each depends on the request, whose sound answer is given. */
import type { SmallWiki } from './smallWiki.js'
import type { Fault } from './upstreamServer.js'

type Row = Record<string, unknown>
type OddAnswer = (sound: string, random: () => number) => Fault

const body = (value: unknown): Fault => ({ body: JSON.stringify(value) })
const always =
  (fault: Fault): OddAnswer =>
  () =>
    fault
/** The sound answer with another value in each object that has the field. */
const withField =
  (name: string, value: unknown): OddAnswer =>
  (sound) =>
    body(JSON.parse(sound, (key, each: unknown) => (key === name ? value : each)))
const withQuery =
  (change: (query: Row) => unknown): OddAnswer =>
  (sound) => {
    const answer = JSON.parse(sound) as Row
    return body({ ...answer, query: change((answer['query'] ?? {}) as Row) })
  }
/** The sound answer with other parts of siteinfo, if it has any. */
const withSiteinfo = (parts: Row): OddAnswer =>
  withQuery((query) => ('general' in query ? { ...query, ...parts } : query))
const LARGE = `{"query":{"pages":["${'x'.repeat(33 * 2 ** 20)}"]}}`

export const ODD_ANSWERS: Readonly<Record<string, OddAnswer>> = {
  'an empty object': always({ body: '{}' }),
  'an empty text': always({ body: '' }),
  null: always({ body: 'null' }),
  'a list': always({ body: '[]' }),
  'a number': always({ body: '7' }),
  'a text': always({ body: '"query"' }),
  'no query, but complete lists': always({ body: '{"batchcomplete":true,"query":{}}' }),
  'a null query': always({ body: '{"query":null}' }),
  'a query that is a list': always({ body: '{"query":[]}' }),
  'an unknown list': always({ body: '{"batchcomplete":true,"warnings":{"query":{"warnings":"unknown"}}}' }),
  'null lists': withQuery((query) => Object.fromEntries(Object.keys(query).map((name) => [name, null]))),
  'lists of null': withQuery((query) => Object.fromEntries(Object.keys(query).map((name) => [name, [null]]))),
  'lists of numbers': withQuery((query) => Object.fromEntries(Object.keys(query).map((name) => [name, [1]]))),
  'a null error': always({ body: '{"error":null}' }),
  'an error without a code': always({ body: '{"error":{}}' }),
  'an unknown error': always({ error: 'something-new' }),
  maxlag: always({ error: 'maxlag', lag: 1e300 }),
  'an error inside the wiki': always({ error: 'internal_api_error_DBQueryError' }),
  'a page of HTML': always({ html: true }),
  'HTML said to be JSON': always({ body: '<!DOCTYPE html><html></html>' }),
  'half of the JSON': (sound) => ({ body: sound.slice(0, sound.length >> 1) }),
  'half of the bytes': always({ cut: 0.5 }),
  'no answer': always({ hangUp: true }),
  500: always({ status: 500 }),
  502: always({ status: 502 }),
  503: always({ status: 503, retryAfter: 3 }),
  429: always({ status: 429 }),
  'more than 32 MiB': always({ body: LARGE }),
  'deep nesting': always({ body: `{"query":${'['.repeat(50_000)}${']'.repeat(50_000)}}` }),
  'a null place': (sound) => body({ ...(JSON.parse(sound) as Row), continue: null }),
  'null aliases': withSiteinfo({ namespacealiases: null, functionhooks: null, protocols: null }),
  'rules of other kinds': withSiteinfo({
    namespacealiases: [{ id: '4', alias: ['WP'] }, { id: 4 }, 7],
    specialpagealiases: [{ realname: 1, aliases: 'x' }],
    extensiontags: [1, null, '<a b>', '<script>'],
    functionhooks: 'len',
    fileextensions: ['png', { ext: '../x' }],
    protocols: ['javascript:', 'data:', 1],
  }),
  'very many rules': withSiteinfo({
    namespacealiases: Array.from({ length: 5000 }, (_, id) => ({ id: 2, alias: `A${id}` })),
    extensiontags: Array.from({ length: 5000 }, (_, n) => `<t${n}>`),
    specialpagealiases: [{ realname: 'Search', aliases: Array(500).fill('S') }],
  }),
  'a rule of 1 MB': withSiteinfo({ namespacealiases: [{ id: 2, alias: 'x'.repeat(1e6) }] }),
  'deep prefixes': (sound) => ({
    body: sound.replace('"interwikimap":[', `"interwikimap":[${'['.repeat(9000)}${']'.repeat(9000)},`),
  }),
  'an endless place': (sound, random) => {
    const place = `20260101000000|${Math.floor(random() * 1e9)}`
    const names = [
      'rccontinue',
      'arvcontinue',
      'rvcontinue',
      'gapcontinue',
      'aicontinue',
      'aufrom',
      'ptcontinue',
    ]
    const next = Object.fromEntries(names.map((name) => [name, place]))
    return body({ ...(JSON.parse(sound) as Row), continue: next })
  },
  'a null title': withField('title', null),
  'a null prefix': withField('prefix', null),
  'a null time': withField('timestamp', null),
  'a null id': withField('pageid', null),
  'no slots': withField('slots', null),
  'no SHA-1': withField('sha1', undefined),
  'an empty name': withField('user', ''),
  'a size of 2^32': withField('size', 2 ** 32),
  'an id of 2^32': withField('revid', 2 ** 32),
  'a negative number': withField('rcid', -1),
  'a text instead of a number': withField('revid', '1'),
}

/** An odd answer of any kind to a request. */
export function oddFault(
  wiki: SmallWiki,
  parameters: Readonly<Record<string, string>>,
  random: () => number,
): Fault {
  const kinds = Object.values(ODD_ANSWERS)
  return kinds[Math.floor(random() * kinds.length)]!(soundAnswer(wiki, parameters), random)
}

function soundAnswer(wiki: SmallWiki, parameters: Readonly<Record<string, string>>): string {
  try {
    return JSON.stringify(wiki.query(parameters))
  } catch {
    return '{"query":{}}'
  }
}
