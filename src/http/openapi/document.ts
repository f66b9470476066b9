/** Builds the OpenAPI 3.1 document of the API from the table of routes. */
import type { Config } from '../../config/config.js'
import { productVersion } from '../../runtime/version.js'
import { type ErrorKey, ERRORS, reasonPhrase } from '../reply/errors.js'
import {
  type AnswerDoc,
  type BodyDoc,
  type DeclaredParam,
  type DescribedRoute,
  type Root,
  rootPaths,
  type RouteDoc,
  type Tag,
} from './describedRoute.js'
import { cookieNames } from '../request/cookies.js'
import { ref, SCHEMAS } from './schemas.js'
import type { JsonSchema } from '../request/params.js'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { compiledFile } from '../../runtime/packageFiles.js'

const JSON_TYPE = 'application/json'
const LICENCE = { name: 'GPL-3.0-or-later', identifier: 'GPL-3.0-or-later' }
const DESCRIPTION = `The MediaWiki REST API, version 1.

Answers carry validators (\`ETag\`, \`Last-Modified\`) and obey conditional requests. Every path with
\`GET\` also answers \`HEAD\`, and \`OPTIONS\` lists the methods of a path. An unknown path gives 404 (\`rest-no-match\`). A method
that a path does not allow gives 405 (\`rest-wrong-method\`) with \`Allow\`. A failed precondition gives an empty 412. Where the
operator limits reads, a client that sends too many gets 429 (\`rest-rate-limit-exceeded\`) with \`Retry-After\`.`
/** Errors of every route. */
const EVERYWHERE: readonly ErrorKey[] = ['rest-internal-error']
/** Errors of reads under `--reads-per-second`. Routes of the server itself have no limit. */
const OF_READS: readonly ErrorKey[] = ['rest-rate-limit-exceeded']
const WITH_BODY: readonly ErrorKey[] = [
  'rest-no-content-type',
  'rest-unsupported-content-type',
  'rest-json-body-parse-error',
  'rest-bad-json-body',
  'rest-missing-body-field',
  'rest-bad-body-field',
  'rest-body-too-large',
  'rest-server-busy',
]

const WITH_FORM: readonly ErrorKey[] = [
  'rest-no-content-type',
  'rest-unsupported-content-type',
  'rest-form-body-parse-error',
  'rest-body-too-large',
  'rest-server-busy',
]
/** Path prefix between the base path and a route's own path. */
const PATH_BEFORE: Readonly<Partial<Record<Root, string>>> = { v1: '/v1', wiki: '/{wiki}' }
const WIKI_PARAMETER = {
  name: 'wiki',
  in: 'path',
  required: true,
  description: 'id of the wiki, as its site settings have it',
  schema: { type: 'string' },
}

const TAGS: Readonly<Record<Tag, string>> = {
  Search: 'Full-text search, and completion of titles',
  Pages: 'Pages and what they link to; creating and updating them',
  Files: 'Facts of files, and their bytes',
  History: 'Revisions of a page, listed and counted',
  Revisions: 'Single revisions, and comparisons of two',
  Conversion: 'The old interface between HTML and wikitext',
  Session: 'The part of the action API that clients log in with',
  Server: 'The server itself: this description, health and figures',
}

type ApiConfig = Pick<Config, 'publicUrl' | 'basePath' | 'anonymousEdits'>

/** The wiki that a document is about. */
interface DescribedWiki {
  /** Determines the name of the session cookie. */
  readonly wikiId: string
  /** Path before everything of the wiki. */
  readonly root: string
}

/** The document of all routes that have a description; others are not part of the API. */
export function apiDocument(
  routes: readonly DescribedRoute[],
  config: ApiConfig,
  { wikiId, root }: DescribedWiki,
): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    if (route.doc === undefined) continue
    const path = (PATH_BEFORE[route.root] ?? '') + route.path
    const server = serverOf(route.root, config, root)
    const item = (paths[path] ??= server === undefined ? {} : { servers: [{ url: server }] })
    item[route.method.toLowerCase()] = operation(route, route.doc, config)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Palimpsest', version: productVersion(), description: DESCRIPTION, license: LICENCE },
    // Without a host, clients use the host of the document.
    servers: [{ url: config.publicUrl || config.basePath || '/' }],
    tags: [...new Set(routes.flatMap(({ doc }) => doc?.tag ?? []))].map((name) => ({
      name,
      description: TAGS[name],
    })),
    // Anyone may read; routes that need more have a `security` of their own.
    security: [],
    paths,
    components: { schemas: SCHEMAS, securitySchemes: securitySchemes(wikiId) },
  }
}

function securitySchemes(wikiId: string): JsonSchema {
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description:
        'A token of `palimpsest token create`, or a JSON Web Token of the issuer that the server trusts.',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: cookieNames(wikiId).session,
      description:
        'The cookie of a login at `api.php`. The body of a write then needs the CSRF token of the session as `token`.',
    },
  }
}

const SIGNED_IN = [{ bearer: [] }, { session: [] }]

/** Ways to sign in. An empty object allows a request without credentials. */
function security(signIn: RouteDoc['signIn'], { anonymousEdits }: ApiConfig): JsonSchema {
  if (signIn === undefined) return {}
  return { security: signIn === 'needed' && !anonymousEdits ? SIGNED_IN : [{}, ...SIGNED_IN] }
}

/** Server URL of routes outside the base path. */
function serverOf(place: Root, { publicUrl, basePath }: ApiConfig, root: string): string | undefined {
  if (place !== 'folder' && place !== 'top' && place !== 'server') return undefined
  const [, origin = '', path = basePath] = /^(https?:\/\/[^/]*)(.*)$/.exec(publicUrl) ?? []
  return origin + rootPaths(path, root)[place] || '/'
}

function operation(
  { params, query, method, root }: DescribedRoute,
  doc: RouteDoc,
  config: ApiConfig,
): JsonSchema {
  const { id, tag, summary, description, deprecated, answer, otherAnswers = [], body } = doc
  const conditions = doc.conditions ?? (method === 'GET' && root !== 'server' ? 'read' : 'none')
  const errors = new Set<ErrorKey>([
    ...[...params, ...query].flatMap(({ param }) => param.errors),
    ...bodyErrors(body),
    ...doc.errors,
    ...(method === 'GET' && root !== 'server' ? OF_READS : []),
    ...EVERYWHERE,
  ])
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(deprecated && { deprecated }),
    parameters: [
      ...(root === 'wiki' ? [WIKI_PARAMETER] : []),
      ...params.map((declared) => parameter(declared, 'path')),
      ...query.map((declared) => parameter(declared, 'query')),
      ...(doc.query ?? []).map((own) => ({ ...own, in: 'query', required: false })),
    ],
    ...security(doc.signIn, config),
    ...(body !== undefined && { requestBody: requestBody(body) }),
    responses: {
      ...Object.assign({}, ...[answer, ...otherAnswers].map(success)),
      ...(conditions === 'read' && NOT_MODIFIED),
      ...(conditions !== 'none' && PRECONDITION_FAILED),
      ...failures(errors),
    },
  }
}

function bodyErrors(body: BodyDoc | undefined): readonly ErrorKey[] {
  if (body === undefined) return []
  return body.types === undefined ? WITH_BODY : WITH_FORM
}

const PRECONDITION_FAILED = {
  '412': { description: '`If-Match` or `If-Unmodified-Since` does not hold. The body is empty.' },
}
const NOT_MODIFIED = { '304': { description: 'The answer is the one that the client has.' } }

function parameter({ name, param }: DeclaredParam, place: 'path' | 'query'): JsonSchema {
  const { description, schema, required } = param
  return { name, in: place, required: place === 'path' || required, description, schema }
}

function requestBody({ description, types = [JSON_TYPE], schema }: BodyDoc): JsonSchema {
  return {
    required: true,
    description,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  }
}

function success({ status = 200, description, type = JSON_TYPE, schema, headers }: AnswerDoc): JsonSchema {
  const isRedirect = status >= 300 && status < 400
  return {
    [status]: {
      description,
      ...(headers !== undefined && { headers: headerDocs(headers) }),
      ...(!isRedirect && {
        content: Object.fromEntries(
          [type].flat().map((name) => [name, schema === undefined ? {} : { schema }]),
        ),
      }),
    },
  }
}

function headerDocs(headers: Readonly<Record<string, string>>): JsonSchema {
  const entries = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return Object.fromEntries(entries) as JsonSchema
}

/** One answer per status, with a list of its errors. */
function failures(keys: ReadonlySet<ErrorKey>): JsonSchema {
  const byStatus = new Map<number, string[]>()
  for (const key of keys) {
    const [status, message] = ERRORS[key]
    byStatus.set(status, [...(byStatus.get(status) ?? []), `* \`${key}\`: ${message}`])
  }
  const answers = [...byStatus].toSorted(([a], [b]) => a - b)
  return Object.fromEntries(
    answers.map(([status, lines]) => [
      status,
      {
        description: `${reasonPhrase(status)}\n\n${lines.join('\n')}`,
        content: { [JSON_TYPE]: { schema: ref('Error') } },
      },
    ]),
  )
}

// The API's description and its viewer (Swagger UI) in bytes, each made or read at the first request and kept.

interface ReadyDescription {
  readonly bytes: Uint8Array
  readonly etag: string
}

export class ApiDescription {
  readonly #routes: readonly DescribedRoute[]
  readonly #config: Config
  readonly #root: string
  #ready: (ReadyDescription & { readonly wikiId: string }) | undefined

  /** `root` is the path before everything of the wiki. */
  constructor(routes: readonly DescribedRoute[], config: Config, root: string) {
    this.#routes = routes
    this.#config = config
    this.#root = root
  }

  /** The description for a wiki's id, which is part of the name of the session cookie. */
  ready(wikiId: string): ReadyDescription {
    if (this.#ready?.wikiId !== wikiId) this.#ready = { ...this.#make(wikiId), wikiId }
    return this.#ready
  }

  #make(wikiId: string): ReadyDescription {
    const bytes = Buffer.from(
      JSON.stringify(apiDocument(this.#routes, this.#config, { wikiId, root: this.#root })),
    )
    const hash = createHash('sha256').update(bytes).digest('base64url')
    return { bytes, etag: `"${hash}"` }
  }
}

/** The viewer's files, with their types. build.mjs copies them out of its package. */
export const VIEWER_FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const
export type ViewerFile = keyof typeof VIEWER_FILES

export class ViewerFiles {
  readonly #files = new Map<ViewerFile, Promise<Uint8Array>>()

  read(name: ViewerFile): Promise<Uint8Array> {
    let file = this.#files.get(name)
    if (file === undefined) {
      file = readFile(compiledFile(`viewer/${name}`))
      this.#files.set(name, file)
      // A later request tries an unreadable file again.
      file.catch(() => this.#files.delete(name))
    }
    return file
  }
}
