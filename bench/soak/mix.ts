/** The mixture of requests: every route, valid and faulty requests, and clients that disconnect. */
import type { Answer } from './connection.js'
import { addRevision, type EditedPage, getRequest, type SoakWiki } from './wiki.js'

/** One request and its allowed results. */
export interface Exchange {
  readonly request: string
  readonly isHead?: boolean
  /** Sent on a connection that closes before the answer is read. */
  readonly isAbandoned?: boolean
  readonly statuses: readonly number[]
  /** Error key that the specification allows for some pages of the wiki. */
  readonly errorKey?: string
  /** Returns the fault in an answer of an expected status; undefined if it is right. */
  readonly judge?: (answer: Answer) => string | undefined
  /** Called when the request has ended, with or without an answer. */
  readonly release?: () => void
}

interface Kind {
  readonly name: string
  /** Requests of this kind in 1,000. */
  readonly share: number
  readonly make: (wiki: SoakWiki, random: () => number) => Exchange
}

const OK = [200]
/** The server may refuse a request that needs a thread. */
const OK_OR_BUSY = [200, 503]
const LATEST = '"latest":{"id":'

export const KINDS: readonly Kind[] = [
  { name: 'page source', share: 380, make: readPage },
  { name: 'page source of an edited page', share: 60, make: readEditedPage },
  { name: 'page source with If-None-Match', share: 120, make: readPageAgain },
  { name: 'HEAD of a page', share: 20, make: headOfPage },
  { name: 'page bare', share: 60, make: (wiki, random) => get(`${pick(wiki.paths, random)}/bare`) },
  { name: 'HTML', share: 40, make: (wiki, random) => get(pick(wiki.htmlPaths, random), OK_OR_BUSY) },
  { name: 'history', share: 60, make: (wiki, random) => get(`${anyPath(wiki, random)}/history`) },
  { name: 'counts', share: 40, make: readCount },
  { name: 'revision bare', share: 20, make: (wiki, random) => readRevision(wiki, random, '/bare') },
  { name: 'revision source', share: 10, make: (wiki, random) => readRevision(wiki, random, '') },
  { name: 'comparison', share: 20, make: compare },
  { name: 'search', share: 6, make: search },
  { name: 'autocomplete', share: 60, make: complete },
  {
    name: 'language links',
    share: 30,
    make: (wiki, random) => get(`${pick(wiki.paths, random)}/links/language`),
  },
  {
    name: 'media links',
    share: 20,
    make: (wiki, random) => ({
      ...get(`${pick(wiki.paths, random)}/links/media`, OK_OR_BUSY),
      errorKey: 'rest-media-too-many-links',
    }),
  },
  { name: 'file', share: 10, make: (wiki, random) => get(pick(wiki.files, random)) },
  { name: 'bytes of a file', share: 6, make: (wiki, random) => get(pick(wiki.media, random), OK_OR_BUSY) },
  { name: 'page that is not there', share: 20, make: missPage },
  { name: 'path that is not there', share: 6, make: missPath },
  { name: 'parameter that is wrong', share: 4, make: mistake },
  { name: 'request without rights', share: 1, make: writeWithoutToken },
  { name: 'aborted request', share: 4, make: abort },
  { name: 'edit', share: 3, make: edit },
]

const TOTAL = KINDS.reduce((sum, { share }) => sum + share, 0)

/** Draws a kind according to its share. */
export function drawKind(random: () => number): Kind {
  let at = random() * TOTAL
  for (const kind of KINDS) {
    at -= kind.share
    if (at < 0) return kind
  }
  return KINDS[0]!
}

const pick = <Item>(items: readonly Item[], random: () => number): Item =>
  items[Math.floor(random() * items.length)]!

const get = (path: string, statuses: readonly number[] = OK): Exchange => ({
  request: getRequest(path),
  statuses,
})

/** Half of the requests are for edited pages, since these have long histories. */
const anyPath = (wiki: SoakWiki, random: () => number): string =>
  random() < 0.5 ? pick(wiki.edited, random).path : pick(wiki.paths, random)

/** A new name each time, so that no cache by URL has it. */
const newName = (random: () => number): string => `Nowhere_${Math.floor(random() * 1e12)}`

function readPage(wiki: SoakWiki, random: () => number): Exchange {
  const path = pick(wiki.paths, random)
  const learn = (answer: Answer): undefined => {
    if (!wiki.tags.has(path)) wiki.tags.set(path, answer.header('ETag'))
  }
  return { ...get(path), judge: learn }
}

/** No answer may be older than the last edit that was acknowledged before the request. */
function readEditedPage(wiki: SoakWiki, random: () => number): Exchange {
  const page = pick(wiki.edited, random)
  const atLeast = page.latestId
  return {
    ...get(page.path),
    judge: (answer) => {
      const text = answer.text()
      const id = Number.parseInt(text.slice(text.indexOf(LATEST) + LATEST.length), 10)
      return id >= atLeast ? undefined : `${page.path}: revision ${id} after ${atLeast} was acknowledged`
    },
  }
}

function readPageAgain(wiki: SoakWiki, random: () => number): Exchange {
  const path = pick(wiki.paths, random)
  const tag = wiki.tags.get(path)
  if (tag === undefined) return readPage(wiki, random)
  return { request: getRequest(path, `If-None-Match: ${tag}\r\n`), statuses: [200, 304] }
}

function headOfPage(wiki: SoakWiki, random: () => number): Exchange {
  const request = `HEAD ${pick(wiki.paths, random)} HTTP/1.1\r\nHost: soak\r\n\r\n`
  return { request, isHead: true, statuses: OK }
}

function readCount(wiki: SoakWiki, random: () => number): Exchange {
  const type = pick(['edits', 'editors', 'anonymous', 'bot', 'minor', 'reverted'], random)
  return get(`${anyPath(wiki, random)}/history/counts/${type}`)
}

function readRevision(wiki: SoakWiki, random: () => number, form: string): Exchange {
  return get(`/v1/revision/${pick(pick(wiki.edited, random).revisions, random)}${form}`, OK_OR_BUSY)
}

function compare(wiki: SoakWiki, random: () => number): Exchange {
  const { revisions } = pick(wiki.edited, random)
  const [from, to] = [pick(revisions, random), pick(revisions, random)]
  return get(`/v1/revision/${from}/compare/${to}`, OK_OR_BUSY)
}

function search(wiki: SoakWiki, random: () => number): Exchange {
  const second = random() < 0.3 ? `+${pick(wiki.words, random)}` : ''
  return get(`/v1/search/page?limit=10&q=${pick(wiki.words, random)}${second}`, OK_OR_BUSY)
}

function complete(wiki: SoakWiki, random: () => number): Exchange {
  const word = decodeURIComponent(pick(wiki.words, random))
  const letters = [...word].slice(0, 1 + Math.floor(random() * 6)).join('')
  return get(`/v1/search/title?limit=10&q=${encodeURIComponent(letters)}`)
}

function missPage(_wiki: SoakWiki, random: () => number): Exchange {
  return get(`/v1/page/${newName(random)}${pick(['', '/bare', '/html', '/history'], random)}`, [404])
}

function missPath(_wiki: SoakWiki, random: () => number): Exchange {
  return get(`/v1/${newName(random)}/${newName(random)}`, [404])
}

function mistake(wiki: SoakWiki, random: () => number): Exchange {
  const path = pick(wiki.paths, random)
  const name = newName(random)
  return get(
    pick(
      [`${path}/history?filter=${name}`, `/v1/search/page?limit=${name}`, `${path}/history?older_than=0`],
      random,
    ),
    [400],
  )
}

function writeWithoutToken(wiki: SoakWiki, random: () => number): Exchange {
  const body = JSON.stringify({ source: newName(random), comment: '', latest: { id: 1 } })
  return { request: putRequest(pick(wiki.edited, random).path, body), statuses: [400, 403] }
}

/** Abandons costly requests, and sends halves of requests. */
function abort(wiki: SoakWiki, random: () => number): Exchange {
  const whole = pick([compare, search, readPage, complete], random)(wiki, random).request
  const half = putRequest('/v1/page/Unfinished', 'x'.repeat(5000)).slice(0, Math.floor(random() * 4000))
  return { request: random() < 0.5 ? whole : half, isAbandoned: true, statuses: [] }
}

function edit(wiki: SoakWiki, random: () => number): Exchange {
  const page = pick(wiki.edited, random)
  return page.isBeingEdited ? readPage(wiki, random) : editPage(page, wiki, random)
}

/** Replaces the page's last line by new words of the wiki, which changes text, history and search index. */
function editPage(page: EditedPage, wiki: SoakWiki, random: () => number): Exchange {
  const words = Array.from({ length: 12 }, () => decodeURIComponent(pick(wiki.words, random)))
  const body = JSON.stringify({
    source: `${page.text}\n\n${words.join(' ')} ${Math.floor(random() * 1e9)}`,
    comment: '',
    token: '+\\',
    latest: { id: page.latestId },
  })
  page.isBeingEdited = true
  return {
    request: putRequest(page.path, body),
    statuses: OK,
    judge: (answer) => {
      const { latest } = JSON.parse(answer.text()) as { latest: { id: number } }
      addRevision(page, latest.id)
      return undefined
    },
    release: () => (page.isBeingEdited = false),
  }
}

function putRequest(path: string, body: string): string {
  const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
  return `PUT ${path} HTTP/1.1\r\nHost: soak\r\n${headers}\r\n\r\n${body}`
}
