/** The table of errors: status and English text of each, and their JSON form. */
import { STATUS_CODES } from 'node:http'
import { EDIT_REFUSALS, fillMessage, type MessageArgument, REFUSALS } from '../../domain/refusal.js'

type EditRefusals = { readonly [Key in keyof typeof EDIT_REFUSALS]: readonly [400, string] }
const EDIT_ERRORS = Object.fromEntries(
  Object.entries(EDIT_REFUSALS).map(([key, text]) => [key, [400, text]]),
) as unknown as EditRefusals

/**
 * Status and English text of each error, by key; $1, $2, … are arguments. Keys and texts are MediaWiki's wherever it
 * has the same error.
 */
export const ERRORS = {
  'rest-no-match': [404, 'The requested relative path ($1) did not match any known handler'],
  'rest-wrong-method': [405, 'The request method ($1) was not the allowed method for this path ($2)'],
  'rest-wrong-method-several': [
    405,
    'The request method ($1) was not one of the allowed methods for this path ($2)',
  ],
  'rest-nul-in-path': [400, 'The path of a request cannot hold a NUL byte.'],
  'paramvalidator-missingparam': [400, 'The "$1" parameter must be set.'],
  'paramvalidator-badinteger': [400, 'Invalid value "$2" for integer parameter "$1".'],
  'paramvalidator-outofrange-minmax': [400, 'The value "$2" for parameter "$1" must be between $3 and $4.'],
  'paramvalidator-badvalue-enumnotmulti': [400, 'Unrecognized value for parameter "$1": $2.'],
  'paramvalidator-badbool': [400, 'Invalid value "$2" for boolean parameter "$1".'],
  'rest-no-content-type': [415, 'A Content-Type header must be supplied with a request payload.'],
  'rest-unsupported-content-type': [415, 'Unsupported Content-Type'],
  'rest-body-too-large': [413, 'The body of the request is larger than $1 bytes.'],
  'rest-json-body-parse-error': [400, 'Parsing request body as JSON failed: $1'],
  'rest-form-body-parse-error': [400, 'Parsing request body as a form failed: $1'],
  'rest-bad-json-body': [400, 'Bad request body, must be a JSON object.'],
  'rest-missing-body-field': [400, 'Mandatory field "$1" missing from request body.'],
  'rest-bad-body-field': [400, 'The field "$1" of the request body must be $2.'],
  'rest-nonexistent-title': [404, 'The specified title ($1) does not exist'],
  'rest-source-hidden': [
    404,
    'The source of the specified title ($1) cannot be loaded: its latest text is hidden.',
  ],
  'rest-html-not-configured': [500, 'This server is set up without HTML.'],
  'rest-html-limit': [503, 'There is no HTML of this text: it has $1.'],
  'rest-html-failed': [503, 'There is no HTML of this text: making it failed.'],
  'rest-conversion-limit': [413, 'The text cannot be converted: it has $1.'],
  'rest-conversion-imported': [
    422,
    'The HTML came from another server, so it cannot be converted after a change. Change the HTML of this interface instead.',
  ],
  'rest-conversion-version': [415, 'HTML of version $1 cannot be converted: 2.8 is the latest known one.'],
  'rest-conversion-no-input': [400, 'No html and no wt was supplied.'],
  'rest-pagehistory-incompatible-params': [
    400,
    'Parameters "older_than" and "newer_than" cannot both be specified',
  ],
  'rest-pagehistory-param-range-error': [400, 'Revision id must be greater than 0'],
  'rest-nonexistent-title-revision': [
    404,
    'The specified revision ($1) does not exist for the specified page ($2)',
  ],
  'rest-pagehistorycount-parameters-invalid': [
    400,
    'The specified combination of parameters is not supported.',
  ],
  'rest-pagehistorycount-too-many-revisions': [
    500,
    'The specified title contains too many revisions to retrieve this count.',
  ],
  'rest-nonexistent-revision': [404, 'The specified revision ($1) does not exist'],
  'rest-invalid-token': [401, REFUSALS['rest-invalid-token']],
  'rest-insufficient-scope': [403, REFUSALS['rest-insufficient-scope']],
  'rest-token-keys-unavailable': [503, REFUSALS['rest-token-keys-unavailable']],
  'rest-cross-origin-anon-write': [403, REFUSALS['rest-cross-origin-anon-write']],
  actionthrottledtext: [429, REFUSALS.actionthrottledtext],
  'rest-rate-limit-exceeded': [429, 'Too many requests from this address: try again in $1 seconds'],
  protectedpagetext: [403, REFUSALS.protectedpagetext],
  'rest-permission-denied-revision': [403, "User doesn't have access to the requested revision ($1)."],
  'rest-compare-wikidiff2': [500, 'This endpoint requires wikidiff2 1.9.0 or later.'],
  'rest-compare-nonexistent': [404, 'The revision specified by the $1 parameter does not exist.'],
  'rest-compare-inaccessible': [
    403,
    'The revision specified by the $1 parameter is not publicly accessible.',
  ],
  'rest-compare-page-mismatch': [
    400,
    'The specified revisions belong to different pages; refusing to compare them.',
  ],
  'rest-compare-wrong-content': [
    400,
    'The main slot of the revision specified by the $1 parameter has a content type which cannot be converted to text.',
  ],
  'apierror-articleexists': [409, REFUSALS['apierror-articleexists']],
  'rest-update-cannot-create-page': [
    409,
    'The page "$1" cannot be created since it already exists. To update the existing page, provide the base revision ID in the structure under "latest" key in the request body.',
  ],
  'apierror-missingtitle': [404, REFUSALS['apierror-missingtitle']],
  'apierror-editconflict': [409, REFUSALS['apierror-editconflict']],
  'apierror-readonly': [400, REFUSALS['apierror-readonly']],
  'rest-wiki-is-mirror': [403, REFUSALS['rest-wiki-is-mirror']],
  'apierror-permissiondenied': [400, REFUSALS['apierror-permissiondenied']],
  'rest-badtoken': [403, REFUSALS['rest-badtoken']],
  ...EDIT_ERRORS,
  'rest-cannot-load-file': [404, 'The file for title "$1" cannot be loaded.'],
  'rest-thumbnail-failed': [422, 'No picture can be made of the file $1 ($2)'],
  'rest-media-too-many-links': [500, 'Too many media links found on title $1 ($2 allowed)'],
  'rest-search-error': [500, 'Error when returning search results: $1'],
  'rest-server-busy': [503, 'The server has too much to do at the moment; please try again a little later.'],
  'rest-write-timeout': [
    503,
    'The change could not be written in time, and is not saved; please try again later.',
  ],
  'rest-write-unknown': [
    503,
    'Writing the change takes too long. It may still be saved: please look before you try again.',
  ],
  'rest-log-unavailable': [
    503,
    'The log of the wiki cannot be reached, so nothing can be saved at present; please try again later.',
  ],
  'rest-storage-full': [507, 'There is no room to save the change; please try again later.'],
  'rest-storage-unwritable': [
    507,
    'The server cannot write its files at the moment; please try again later.',
  ],
  'rest-task-timeout': [503, 'The answer took too long to make; please try again later.'],
  'rest-internal-error': [500, 'Error: exception of type Error'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorKey = keyof typeof ERRORS

/** Errors of every route that uses a compute thread: the queue is full, or the time ran out. */
export const POOL_ERRORS = ['rest-server-busy', 'rest-task-timeout'] as const satisfies readonly ErrorKey[]

/** Additional fields and headers of an error's answer. */
export interface ErrorExtras {
  readonly data?: Readonly<Record<string, unknown>>
  /** Fields in ready JSON. They follow those of `data`. */
  readonly json?: Readonly<Record<string, Uint8Array>>
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the server closes the connection after the answer. */
  readonly closesConnection?: boolean
  /** For the log; never sent. */
  readonly cause?: unknown
}

/** An error of the table as an exception. `args` replace $1, $2, … in its text. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly key: ErrorKey
  readonly status: number
  readonly extras: ErrorExtras

  constructor(key: ErrorKey, args: readonly MessageArgument[] = [], extras: ErrorExtras = {}) {
    const [status, text] = ERRORS[key]
    super(fillMessage(text, args), extras.cause === undefined ? {} : { cause: extras.cause })
    this.key = key
    this.status = status
    this.extras = extras
  }
}

/** Errors that MediaWiki sends with a plain `message` instead of translations. */
const PLAIN: readonly ErrorKey[] = [
  'rest-internal-error',
  'rest-no-content-type',
  'rest-unsupported-content-type',
]

/** The JSON of an error: its own data first, then `errorKey`, the English text, status and reason. */
export function errorBody(error: HttpError): Buffer {
  const { data, json } = error.extras
  const text = PLAIN.includes(error.key)
    ? { message: error.message }
    : { messageTranslations: { en: error.message } }
  const common = {
    errorKey: wireKey(error.key),
    ...text,
    httpCode: error.status,
    httpReason: reasonPhrase(error.status),
  }
  if (json === undefined) return Buffer.from(JSON.stringify({ ...data, ...common }))
  const parts = [Buffer.from(JSON.stringify({ ...data }).slice(0, -1))]
  for (const [name, bytes] of Object.entries(json))
    parts.push(Buffer.from(`,${JSON.stringify(name)}:`), Buffer.from(bytes))
  parts.push(Buffer.from(`,${JSON.stringify(common).slice(1)}`))
  return Buffer.concat(parts)
}

/** Such as `Not Found` for 404. */
export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? ''
}

/** The error for a bad parameter. `value` is null when the parameter is absent. */
export function parameterError(
  failureCode: 'missingparam' | 'badinteger' | 'badvalue' | 'badbool',
  name: string,
  value: string | null,
): HttpError {
  const key = PARAMETER_ERRORS[failureCode]
  const failureData = failureCode === 'badvalue' ? [] : null
  const data = { error: 'parameter-validation-failed', name, value, failureCode, failureData }
  return new HttpError(key, [name, value ?? ''], { data })
}

/** The error for a number outside the range of its parameter. */
export function rangeError(name: string, value: string, min: number, max: number): HttpError {
  const failureData = { min, curmax: max, max, highmax: max }
  const data = { error: 'parameter-validation-failed', name, value, failureCode: 'outofrange', failureData }
  return new HttpError('paramvalidator-outofrange-minmax', [name, value, min, max], { data })
}

const PARAMETER_ERRORS = {
  missingparam: 'paramvalidator-missingparam',
  badinteger: 'paramvalidator-badinteger',
  badbool: 'paramvalidator-badbool',
  badvalue: 'paramvalidator-badvalue-enumnotmulti',
} as const satisfies Record<string, ErrorKey>

/** The error for a request whose method a path does not allow. */
export function wrongMethodError(method: string, allowed: readonly string[]): HttpError {
  const key = allowed.length > 1 ? 'rest-wrong-method-several' : 'rest-wrong-method'
  const allow = allowed.join(', ')
  return new HttpError(key, [method, allow], { headers: { Allow: allow } })
}

/** Clients see the same key for both texts of a wrong method. */
function wireKey(key: ErrorKey): string {
  return key === 'rest-wrong-method-several' ? 'rest-wrong-method' : key
}
