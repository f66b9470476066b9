/** Edits over HTTP, as the anonymous editor whom the server lets in. */
import { type Answer, startServer, temporaryFolder, type TestServer } from './garden.js'
import type { GivenFlags } from '../../src/config/config.js'

export const ANONYMOUS_TOKEN = '+\\'

/** A server over a new, empty wiki that is open to anonymous edits. */
export function startEmptyWiki(flags: GivenFlags = {}): Promise<TestServer> {
  return startServer(temporaryFolder(), { anonymousEdits: true, ...flags })
}

export interface Page {
  readonly id: number
  readonly key: string
  readonly title: string
  readonly latest: { readonly id: number; readonly timestamp: string }
  readonly content_model: string
  readonly source: string
}

/** The page that an edit answered with. */
export const pageOf = (answer: Answer): Page => answer.body as Page

type Fields = Readonly<Record<string, unknown>>

/** `POST /v1/page`; fields given as undefined are left out. */
export function create(
  server: TestServer,
  title: unknown,
  source: unknown,
  fields: Fields = {},
): Promise<Answer> {
  return sendJson(server, 'POST', '/v1/page', {
    title,
    source,
    comment: '',
    token: ANONYMOUS_TOKEN,
    ...fields,
  })
}

/** `PUT /v1/page/{title}`, on top of the revision `base` where that is given. `title` is a path segment. */
export function update(
  server: TestServer,
  title: string,
  source: unknown,
  base?: unknown,
  fields: Fields = {},
): Promise<Answer> {
  const latest = base === undefined ? undefined : { id: base }
  return sendJson(server, 'PUT', `/v1/page/${title}`, {
    source,
    comment: '',
    token: ANONYMOUS_TOKEN,
    latest,
    ...fields,
  })
}

export function sendJson(
  server: Pick<TestServer, 'send'>,
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return server.send(path, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
}
