/** The part of MediaWiki's action API that clients need to log in: `/api.php` beside the API (spec 5). */
import {
  ActionError,
  ActionParameters,
  type Form,
  FORM_DOCS,
  PARAMETER_NAMES,
  QUERY_DOCS,
} from './parameters.js'
import { type ActionCall, type ActionModule, type ActionResult, Shape } from './call.js'
import { clientLogin, createAccount, login, logout } from './account.js'
import { query } from './query.js'
import { credentialsOf, SessionCookie } from '../request/credentials.js'
import { Refusal } from '../../domain/refusal.js'
import { formBody } from '../request/bodyFields.js'
import type { RouteDoc } from '../openapi/describedRoute.js'
import { headerLines, type Reply } from '../reply/reply.js'
import { defineRoute, type ErrorPage, type HttpContext } from '../routing/route.js'
import type { RequestView } from '../request/requestView.js'
import { formatTimestamp, toSeconds } from '../../domain/timestamp.js'
import type { Wiki } from '../request/wiki.js'
import { POOL_ERRORS } from '../reply/errors.js'
import type { Identity } from '../../auth/identities.js'

const ACTIONS = ['query', 'login', 'clientlogin', 'logout', 'createaccount'] as const
const MODULES: Readonly<Record<(typeof ACTIONS)[number], ActionModule>> = {
  query,
  login,
  clientlogin: clientLogin,
  logout,
  createaccount: createAccount,
}
const MAX_REQUEST_ID_LENGTH = 200
const TYPE = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-store' }

const DOC: Omit<RouteDoc, 'id' | 'summary'> = {
  tag: 'Session',
  description:
    'The part of the action API that clients need to log in. An error has status 200, `error` with `code` and `info` in its body, and its code in the header `MediaWiki-API-Error`. Errors of the server, such as 429, have these and their own status.',
  answer: {
    description: 'The result of the action',
    schema: { type: 'object' },
    headers: { 'MediaWiki-API-Error': 'code of the error, when there is one' },
  },
  conditions: 'none',
  signIn: 'possible',
  errors: [],
}

/** Codes of MediaWiki for errors of the server. Others have the key of the REST API. */
const CODES: Readonly<Partial<Record<number, string>>> = {
  429: 'ratelimited',
  500: 'internal_api_error_Error',
}

/** Clients of the action API find `error` with `code` and `info` in each answer that is an error. */
const errorPage: ErrorPage = ({ status, key, message: info, extras }) => {
  const code = CODES[status] ?? key
  const headers = { ...TYPE, 'MediaWiki-API-Error': code, ...extras.headers }
  return {
    status,
    headers: headerLines(headers),
    body: Buffer.from(JSON.stringify({ error: { code, info } })),
    ...(extras.closesConnection === true && { closesConnection: true }),
  }
}

interface Assertion {
  readonly holds: (identity: Identity) => boolean
  readonly code: string
  readonly reason: string
}

const ASSERTIONS = {
  user: {
    holds: ({ anonymous }) => !anonymous,
    code: 'assertuserfailed',
    reason: 'You are no longer logged in',
  },
  bot: {
    holds: ({ rights }) => rights.has('bot'),
    code: 'assertbotfailed',
    reason: 'You do not have the "bot" right',
  },
  anon: { holds: ({ anonymous }) => anonymous, code: 'assertanonfailed', reason: 'You are logged in' },
} as const satisfies Record<string, Assertion>
const NAMES = Object.keys(ASSERTIONS) as (keyof typeof ASSERTIONS)[]
const MAX_SHOWN_LENGTH = 255

const getApi = defineRoute({
  method: 'GET',
  root: 'folder',
  path: '/api.php',
  errorPage,
  doc: {
    id: 'getAction',
    summary: 'Ask for tokens, for the wiki and the user',
    ...DOC,
    query: QUERY_DOCS,
  },
  handler: ({ request, wiki }, context) => answer(request, wiki, context, undefined),
})

const postApi = defineRoute({
  method: 'POST',
  root: 'folder',
  path: '/api.php',
  errorPage,
  doc: {
    id: 'postAction',
    summary: 'Log in and out',
    ...DOC,
    body: {
      description: 'Parameters as a form; secrets must stand here and not in the URL',
      types: ['application/x-www-form-urlencoded', 'multipart/form-data'],
      schema: {
        type: 'object',
        properties: Object.fromEntries(
          FORM_DOCS.map(({ name, description, schema }) => [name, { ...schema, description }]),
        ),
      },
    },
    errors: ['rest-form-body-parse-error', ...POOL_ERRORS],
  },
  body: formBody(PARAMETER_NAMES, (fields): Form => new Map(Object.entries(fields))),
  handler: ({ request, wiki, body }, context) => answer(request, wiki, context, body),
})

export const actionApiRoutes = [getApi, postApi]

async function answer(
  request: RequestView,
  wiki: Wiki,
  context: HttpContext,
  form: Form | undefined,
): Promise<Reply> {
  const parameters = new ActionParameters(request.query, form)
  const shape = new Shape(['2', 'latest'].includes(parameters.get('formatversion') ?? '') ? 2 : 1)
  const cookie = new SessionCookie(request, wiki)
  try {
    parameters.oneOf('format', ['json'], 'json')
    const action = parameters.oneOf('action', ACTIONS, 'query')
    // The last read of the request: after this await it is no longer readable.
    const identity = await context.identities.identify(credentialsOf(request, wiki), wiki.namespaces)
    const call = { parameters, shape, cookie, identity, request, wiki, context }
    requireAssertion(parameters, identity)
    if (action !== 'query' && !parameters.isPost) {
      throw new ActionError('mustbeposted', `The "${action}" module requires a POST request.`)
    }
    const result = await MODULES[action](call)
    return reply(cookie, { ...extras(call), ...result, ...shape.warnings(parameters.warnings()) })
  } catch (error) {
    return failed(cookie, error)
  }
}

/** Additional fields that the request asks for. */
function extras({ parameters, context }: ActionCall): ActionResult {
  const requestId = parameters.get('requestid')
  return {
    ...(requestId !== undefined && { requestid: requestId.slice(0, MAX_REQUEST_ID_LENGTH) }),
    ...(parameters.get('curtimestamp') !== undefined && {
      curtimestamp: formatTimestamp(toSeconds(context.clock.nowMs())),
    }),
  }
}

function reply(cookie: SessionCookie, body: ActionResult, headers = ''): Reply {
  return {
    status: 200,
    headers: headerLines(TYPE) + headers + cookie.lines(),
    body: Buffer.from(JSON.stringify(body)),
  }
}

/** Answers errors of the action API, and rethrows all others. */
function failed(cookie: SessionCookie, error: unknown): Reply {
  const known =
    error instanceof Refusal && error.key === 'rest-invalid-token'
      ? new ActionError('mwoauth-invalid-authorization', error.message)
      : error
  if (!(known instanceof ActionError)) throw error
  const { code, message: info } = known
  return reply(cookie, { error: { code, info } }, headerLines({ 'MediaWiki-API-Error': code }))
}

/**
 * `assert` and `assertuser`: clients state who they believe to be, and fail early if their session has ended. Throws
 * the error of the assertion that fails.
 */
function requireAssertion(parameters: ActionParameters, identity: Identity): void {
  if (parameters.get('assert') !== undefined) {
    const { holds, code, reason } = ASSERTIONS[parameters.oneOf('assert', NAMES, 'user')]
    if (!holds(identity)) throw failure(code, reason)
  }
  const name = parameters.get('assertuser')
  if (name === undefined) return
  const { editor, anonymous } = identity
  if (anonymous || editor.name !== name.replaceAll('_', ' ')) {
    const shown = name.slice(0, MAX_SHOWN_LENGTH)
    throw failure('assertnameduserfailed', `You are no longer logged in as "${shown}"`)
  }
}

const failure = (code: string, reason: string): ActionError =>
  new ActionError(code, `${reason}, so the action could not be completed.`)
