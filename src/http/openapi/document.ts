/** The OpenAPI 3.1 document of the API, made from the table of routes. */
import type { Config } from '../../config.js'
import { productVersion } from '../../version.js'
import { type ErrorKey, ERRORS, reasonPhrase } from '../errors.js'
import { rootPaths } from '../roots.js'
import type { DeclaredParam, Root, Route } from '../route.js'
import type { AnswerDoc, BodyDoc, JsonSchema, RouteDoc } from './routeDoc.js'
import { ref, SCHEMAS } from './schemas.js'

const JSON_TYPE = 'application/json'
const LICENCE = { name: 'GPL-3.0-or-later', identifier: 'GPL-3.0-or-later' }
const DESCRIPTION = `The MediaWiki REST API, version 1.

Answers carry validators (\`ETag\`, \`Last-Modified\`) and obey conditional requests. \`HEAD\` goes wherever \`GET\` does, and
\`OPTIONS\` tells what a path allows. A path that is none (\`rest-no-match\`) is answered with 404, a method that a path does not
allow (\`rest-wrong-method\`) with 405 and \`Allow\`, a precondition that fails with an empty 412. Where the operator limits reads, a client that sends too many gets 429 with
\`Retry-After\`.`
/** Errors that any route may answer with. */
const EVERYWHERE: readonly ErrorKey[] = ['rest-internal-error']
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
/** What stands between the base path and a route's own. */
const PATH_BEFORE: Readonly<Partial<Record<Root, string>>> = { v1: '/v1', wiki: '/{wiki}' }
const WIKI_PARAMETER = {
  name: 'wiki',
  in: 'path',
  required: true,
  description: 'id of the wiki, as its site settings have it',
  schema: { type: 'string' },
}

/** The document for routes that have a description; the others are not part of the API. */
export function apiDocument(
  routes: readonly Route[],
  config: Pick<Config, 'publicUrl' | 'basePath'>,
): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {}
  const roots = rootPaths(config.basePath)
  for (const route of routes) {
    if (route.doc === undefined) continue
    const path = (PATH_BEFORE[route.root] ?? '') + route.path
    const server = serverOf(route.root, roots)
    const item = (paths[path] ??= server === undefined ? {} : { servers: [{ url: server }] })
    item[route.method.toLowerCase()] = operation(route, route.doc)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Palimpsest', version: productVersion(), description: DESCRIPTION, license: LICENCE },
    // Without a host, it is that of the document.
    servers: [{ url: config.publicUrl || config.basePath || '/' }],
    tags: [...new Set(routes.flatMap(({ doc }) => doc?.tag ?? []))].map((name) => ({ name })),
    paths,
    components: { schemas: SCHEMAS },
  }
}

/** Paths that are not below the base path name what they are below. */
function serverOf(root: Root, roots: ReturnType<typeof rootPaths>): string | undefined {
  return root === 'folder' || root === 'server' ? roots[root] || '/' : undefined
}

function operation({ params, query, method, root }: Route, doc: RouteDoc): JsonSchema {
  const { id, tag, summary, description, deprecated, answer, body } = doc
  const errors = new Set<ErrorKey>([
    ...[...params, ...query].flatMap(({ param }) => param.errors),
    ...bodyErrors(body),
    ...doc.errors,
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
    ],
    ...(body !== undefined && { requestBody: requestBody(body) }),
    responses: { ...success(answer), ...(method === 'GET' && NOT_MODIFIED), ...failures(errors) },
  }
}

function bodyErrors(body: BodyDoc | undefined): readonly ErrorKey[] {
  if (body === undefined) return []
  return body.type === undefined ? WITH_BODY : WITH_FORM
}

const NOT_MODIFIED = { '304': { description: 'The answer is the one that the client has.' } }

function parameter({ name, param }: DeclaredParam, place: 'path' | 'query'): JsonSchema {
  const { description, schema, required } = param
  return { name, in: place, required: place === 'path' || required, description, schema }
}

function requestBody({ description, type = JSON_TYPE, schema }: BodyDoc): JsonSchema {
  return { required: true, description, content: { [type]: { schema } } }
}

function success({ status = 200, description, type = JSON_TYPE, schema }: AnswerDoc): JsonSchema {
  return { [status]: { description, content: { [type]: schema === undefined ? {} : { schema } } } }
}

/** One answer for each status, which names its errors. */
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
