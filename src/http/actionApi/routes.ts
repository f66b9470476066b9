/** MediaWiki's action API: `/api.php` beside the API (spec 5). */
import type { Identity } from '../../auth/identities.js'
import { Refusal } from '../../domain/refusal.js'
import { formatTimestamp, toSeconds } from '../../domain/timestamp.js'
import type { RouteDoc } from '../openapi/describedRoute.js'
import { formBody } from '../request/bodyFields.js'
import { credentialsOf, SessionCookie } from '../request/credentials.js'
import type { RequestView } from '../request/requestView.js'
import type { Wiki } from '../request/wiki.js'
import { HttpError, POOL_ERRORS } from '../reply/errors.js'
import { headerLines, type Reply, reusable } from '../reply/reply.js'
import { defineRoute, type ErrorPage, type HttpContext } from '../routing/route.js'
import { requireAssertion, requireToken } from './assertions.js'
import { ALL_NAMES, FORM_DOCS, QUERY_DOCS, helpPage } from './docs.js'
import {
  cleanCallback,
  encodeAnswer,
  errorFields,
  type ErrorFormat,
  warningFields,
  type Wish,
} from './frame/answer.js'
import { type ActionCall, type ActionModule, RawAnswer, type ReuseNotes } from './frame/call.js'
import type { Values } from './frame/declaration.js'
import { Input, type PostedForm } from './frame/input.js'
import { ActionError, badValue, Warnings } from './frame/problems.js'
import { readParameters } from './frame/reading.js'
import type { Fields, Version } from './frame/values.js'
import { FORMAT_PARAMETERS, MAIN_PARAMETERS } from './mainParameters.js'
import { ACTIONS, MISSING_WRITES } from './modules.js'
import { addressesOf } from './addresses.js'

const MAX_REQUEST_ID_LENGTH = 200
const PRIVATE = 'private, no-store'
const MAIN = { name: 'main', path: 'main', prefix: '' } as const
const CROSS_ORIGIN = headerLines({ 'Access-Control-Allow-Origin': '*' })

const DOC: Omit<RouteDoc, 'id' | 'summary'> = {
  tag: 'Session',
  description:
    "MediaWiki's action API. An error has status 200, `error` with `code` and `info` in its body, and its code in the header `MediaWiki-API-Error`. Errors of the server, such as 429, have these and their own status. `action=help` lists all modules and their parameters.",
  answer: {
    description: 'The result of the action',
    schema: {},
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
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': PRIVATE,
    'MediaWiki-API-Error': code,
    ...extras.headers,
  }
  return {
    status,
    headers: headerLines(headers),
    body: Buffer.from(JSON.stringify({ error: { code, info } })),
    ...(extras.closesConnection === true && { closesConnection: true }),
  }
}

const getApi = defineRoute({
  method: 'GET',
  root: 'folder',
  path: '/api.php',
  errorPage,
  doc: {
    id: 'getAction',
    summary: 'Read by the action API',
    ...DOC,
    query: QUERY_DOCS,
    errors: POOL_ERRORS,
  },
  handler: ({ request, wiki }, context) => new Request(request, wiki, context, undefined).answer(),
})

const postApi = defineRoute({
  method: 'POST',
  root: 'folder',
  path: '/api.php',
  errorPage,
  doc: {
    id: 'postAction',
    summary: 'Log in and out, and read by long requests',
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
  body: formBody(
    ALL_NAMES,
    (fields, files): PostedForm => ({ fields: new Map(Object.entries(fields)), files }),
    ['file', 'chunk'],
  ),
  handler: ({ request, wiki, body }, context) => new Request(request, wiki, context, body).answer(),
})

export const actionApiRoutes = [getApi, postApi]

type MainValues = Values<typeof MAIN_PARAMETERS>

class Request {
  readonly #request: RequestView
  readonly #wiki: Wiki
  readonly #context: HttpContext
  readonly #input: Input
  readonly #warnings = new Warnings()
  readonly #limits = new Map<string, number>()
  readonly #cookie: SessionCookie
  readonly #origin: string
  readonly #baseUrl: string
  readonly #client: string
  readonly #reuse: ReuseNotes = { isPersonal: false, goodUntilMs: undefined }
  /** The form of the answer, as far as it is known. */
  #wish: Wish
  #headers = ''

  constructor(request: RequestView, wiki: Wiki, context: HttpContext, form: PostedForm | undefined) {
    this.#request = request
    this.#wiki = wiki
    this.#context = context
    this.#input = new Input(request.query, form)
    this.#cookie = new SessionCookie(request, wiki)
    // The request is not readable after the first await.
    this.#origin = request.header('origin')
    this.#baseUrl = request.baseUrl()
    this.#client = request.clientAddress()
    const { server, scriptPath } = addressesOf({ baseUrl: this.#baseUrl, context })
    this.#wish = {
      format: 'jsonfm',
      version: 1,
      callback: undefined,
      errorFormat: 'bc',
      isAscii: false,
      apiUrl: `${server}${scriptPath}/api.php`,
    }
  }

  async answer(): Promise<Reply> {
    try {
      this.#readForm()
      const main = readParameters(MAIN_PARAMETERS, MAIN, this.#reading())
      this.#wish = { ...this.#wish, errorFormat: main.errorformat }
      if (main.origin !== undefined && main.origin !== '*' && main.origin !== this.#origin)
        return wrongOrigin()
      const isForeign = main.origin === '*' || this.#wish.callback !== undefined
      if (main.origin === '*' || main.crossorigin) this.#headers += CROSS_ORIGIN
      const name = this.#input.get('action') ?? 'help'
      if (name === 'help') return this.#help()
      const identity = await this.#identify(isForeign)
      const call = this.#callOf(identity, isForeign)
      requireAssertion(main, identity)
      if (main.assert !== undefined || main.assertuser !== undefined) this.#reuse.isPersonal = true
      const result = await this.#run(name, call)
      if (result instanceof RawAnswer) return this.#reply(result.value)
      return this.#reply(this.#body(result, main), main)
    } catch (error) {
      return this.#failed(error)
    }
  }

  /** The parameters of the form of the answer: errors of all others already have that form. */
  #readForm(): void {
    const format = this.#input.get('format') ?? 'jsonfm'
    if (format !== 'json' && format !== 'jsonfm' && format !== 'none') throw badValue('format', format)
    this.#wish = { ...this.#wish, format }
    const values = readParameters(
      FORMAT_PARAMETERS,
      { name: format, path: format, prefix: '' },
      this.#reading(),
    )
    const callback = cleanCallback(values.callback)
    const errorFormat = (this.#input.get('errorformat') ?? 'bc') as ErrorFormat
    const isKnown = ['plaintext', 'wikitext', 'html', 'raw', 'none', 'bc'].includes(errorFormat)
    this.#wish = { ...this.#wish, callback, ...(isKnown && { errorFormat }) }
    const version = versionOf(values.formatversion)
    if (version === undefined) {
      const error = badValue('formatversion', values.formatversion ?? '')
      this.#warnings.add('json', 'badvalue', error.message)
      this.#warnings.add('main', 'printer', 'Error printer failed. Will retry without params.')
      throw error
    }
    this.#wish = { ...this.#wish, version, isAscii: version === 2 ? values.ascii : !values.utf8 }
  }

  #reading(): Pick<ActionCall, 'input' | 'warnings' | 'namespaces' | 'nowMs' | 'limits'> {
    return {
      input: this.#input,
      warnings: this.#warnings,
      namespaces: this.#wiki.namespaces,
      nowMs: this.#context.clock.nowMs(),
      limits: this.#limits,
    }
  }

  #identify(isForeign: boolean): Identity | Promise<Identity> {
    const credentials = credentialsOf(this.#request, this.#wiki)
    const known = isForeign ? { ...credentials, sessionText: () => undefined } : credentials
    return this.#context.identities.identify(known, this.#wiki.namespaces)
  }

  #callOf(identity: Identity, isForeign: boolean): ActionCall {
    // Spelled out: with the fields of `#reading` spread, it took 7 % of a request.
    return {
      input: this.#input,
      warnings: this.#warnings,
      namespaces: this.#wiki.namespaces,
      nowMs: this.#context.clock.nowMs(),
      limits: this.#limits,
      context: this.#context,
      wiki: this.#wiki,
      request: this.#request,
      cookie: this.#cookie,
      identity,
      isForeign,
      baseUrl: this.#baseUrl,
      client: this.#client,
      reuse: this.#reuse,
    }
  }

  async #run(name: string, call: ActionCall): Promise<Fields | RawAnswer> {
    const module = ACTIONS.find((candidate) => candidate.name === name)
    if (module === undefined) {
      if (MISSING_WRITES.has(name)) requireToken(call)
      throw badValue('action', name)
    }
    // A token in the URL, or none, is the worse fault.
    if (module.needsToken !== undefined) requireToken(call, module.needsToken)
    if (module.mustBePosted === true && !this.#input.isPost)
      throw new ActionError('mustbeposted', `The "${name}" module requires a POST request.`)
    try {
      return await this.#runModule(module, call)
    } catch (error) {
      if (error instanceof ActionError) error.module ??= name
      throw error
    }
  }

  #runModule(module: ActionModule, call: ActionCall): Fields | RawAnswer | Promise<Fields | RawAnswer> {
    const { name, parameters } = module
    if (module.mustBePosted === true) this.#reuse.isPersonal = true
    return module.run(call, readParameters(parameters, { name, path: name, prefix: '' }, call))
  }

  /** The result with what the request wants beside it. */
  #body(result: Fields, { requestid, curtimestamp, servedby }: MainValues): Fields {
    if (curtimestamp) this.#reuse.isPersonal = true
    this.#input.warnOfUnknown(this.#warnings)
    return {
      ...(requestid !== undefined && { requestid: requestid.slice(0, MAX_REQUEST_ID_LENGTH) }),
      ...(servedby && { servedby: 'palimpsest' }),
      ...(curtimestamp && {
        curtimestamp: formatTimestamp(toSeconds(this.#context.clock.nowMs())),
      }),
      ...warningFields(this.#warnings.list(), this.#wish),
      ...(this.#limits.size > 0 && { limits: Object.fromEntries(this.#limits) }),
      ...result,
    }
  }

  #reply(value: unknown, main?: MainValues): Reply {
    const { headers, body } = encodeAnswer(value, this.#wish)
    const cookies = this.#cookie.lines()
    const { isPersonal, goodUntilMs } = this.#reuse
    const reply = {
      status: 200,
      headers: headers + cacheLine(isPersonal || cookies !== '', main) + this.#headers + cookies,
      body,
    }
    if (isPersonal || cookies !== '' || this.#input.isPost || this.#origin !== '') return reply
    const validators = { etag: undefined, lastModified: undefined }
    return reusable(reply, { validators, namesHost: true, ...(goodUntilMs !== undefined && { goodUntilMs }) })
  }

  #help(): Reply {
    const headers = headerLines({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': PRIVATE })
    return { status: 200, headers: headers + this.#headers, body: Buffer.from(helpPage(this.#wish.apiUrl)) }
  }

  /** Answers errors of the action API, and rethrows all others. */
  #failed(error: unknown): Reply {
    const known = knownError(error)
    if (known === undefined) throw error
    const requestId = this.#input.get('requestid')
    const value = {
      ...(requestId !== undefined && { requestid: requestId.slice(0, MAX_REQUEST_ID_LENGTH) }),
      ...errorFields(known, this.#wish),
      ...warningFields(this.#warnings.list(), this.#wish),
    }
    const { headers, body } = encodeAnswer(value, this.#wish)
    const code = headerLines({ 'MediaWiki-API-Error': known.code, 'Cache-Control': PRIVATE })
    return { status: 200, headers: headers + code + this.#headers + this.#cookie.lines(), body }
  }
}

function versionOf(given: string | undefined): Version | undefined {
  if (given === undefined || given === '1') return 1
  return given === '2' || given === 'latest' ? 2 : undefined
}

/** Errors that clients of the action API know. Others keep their own status. */
function knownError(error: unknown): ActionError | undefined {
  if (error instanceof ActionError) return error
  if (error instanceof Refusal && error.key === 'rest-invalid-token')
    return new ActionError('mwoauth-invalid-authorization', error.message)
  if (error instanceof HttpError && error.key === 'rest-html-not-configured')
    return new ActionError('unsupported', error.message)
  return undefined
}

/** Shared caches keep an answer only where the request asks for it, and nothing depends on the user. */
function cacheLine(isPersonal: boolean, main: MainValues | undefined): string {
  if (isPersonal || main === undefined || (main.smaxage === 0 && main.maxage === 0))
    return headerLines({ 'Cache-Control': PRIVATE })
  const { smaxage, maxage } = main
  return headerLines({
    'Cache-Control':
      smaxage > 0 ? `public, s-maxage=${smaxage}, max-age=${maxage}` : `private, max-age=${maxage}`,
  })
}

const wrongOrigin = (): Reply => ({
  status: 403,
  headers: headerLines({ 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': PRIVATE }),
  body: Buffer.from("'origin' parameter does not match Origin header\n"),
})
