/** HTML answers of revisions: alone, or in the JSON of a page or revision. */
import { formatVersion } from '../../domain/html.js'
import { FAILURE_MS, RenderError } from '../../workers/html/failures.js'
import { ImportedHtmlError, type Renderings, RevisionGoneError } from '../../workers/html/renderings.js'
import { addressKey } from '../../auth/rateLimit.js'
import type { Validators } from '../reply/conditional.js'
import { type ErrorKey, HttpError, POOL_ERRORS } from '../reply/errors.js'
import {
  conditionally,
  headerLines,
  json,
  type Reply,
  reusable,
  type Reuse,
  validatorLines,
} from '../reply/reply.js'
import type { RequestView } from '../request/requestView.js'
import type { AppContext } from '../../context.js'
import type { HtmlFlavour, RevisionLook, Wiki } from '../request/wiki.js'
import {
  lengthOf,
  ownPart,
  type PackedPart,
  packedParts,
  unpackParts,
} from '../../storage/html/packedHtml.js'
import type { ReadyMenu, ReadyShell } from '../../storage/html/renderingRow.js'
import { MAX_INLINE_BYTES } from '../../workers/compute/tasks.js'

/** Defence in depth: allows only display. No scripts, forms or foreign code, even if sanitising misses some. */
const CONTENT_SECURITY =
  "default-src 'none'; img-src * data:; media-src *; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors *"

/** Errors of all routes that answer HTML. */
export const HTML_ERRORS = [
  'rest-html-not-configured',
  'rest-html-limit',
  'rest-html-failed',
  ...POOL_ERRORS,
] as const satisfies readonly ErrorKey[]
/** Parameter `stash`: whether the client will edit. The HTML is the same. */
export const STASH = 'whether the HTML is to be edited; all HTML is kept anyway, so that only the tag says it'

const typeOfVersion = (version: string): string =>
  `text/html; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/HTML/${version}"`
const headersOfVersion = (version: string): string =>
  headerLines({ 'Content-Type': typeOfVersion(version), 'Content-Security-Policy': CONTENT_SECURITY })

export const HTML_HEADERS = headersOfVersion('2.1.0')
const CACHE = headerLines({ 'Cache-Control': 'max-age=5' })
const CLOSING_BRACE = Buffer.from('}')

/** HTML in memory. Its bytes may be valid only in the same tick, and only until the next read. */
export interface ReadyHtml {
  readonly packedHtml: Uint8Array
  /** As `encodeOutline` makes it. */
  readonly outline: Uint8Array
  /** For pages for readers; undefined if it has to be made. */
  readonly languageMenu: ReadyMenu | undefined
  /** Of a page for readers; undefined if it has to be made. */
  readonly shell?: ReadyShell | undefined
  readonly tag: string
  readonly madeAt: number
  /** Of HTML from outside, as a number; 0 for our own. */
  readonly version: number
  /** How long the answer may be reused; absent for new HTML. */
  readonly lifetime?: Pick<Reuse, 'isCurrent' | 'goodUntilMs'>
}

/** The revision, conditions and options of an HTML answer. */
interface HtmlRequest {
  readonly revisionId: number
  readonly request: Pick<RequestView, 'clientAddress' | 'conditions'>
  readonly wiki: Wiki
  /** Whether the client will edit. All HTML is kept anyway, so this only changes the tag. */
  readonly stash: boolean
  /** Whether the route still answers this revision, with the same hidden parts. */
  readonly isCurrent: () => boolean
  /** Parts of the revision in the answer that may change while its HTML does not; absent when there are none. */
  readonly look?: RevisionLook
}

type HtmlContext = Pick<AppContext, 'renderings' | 'pool'>

/** Throws rest-html-not-configured when the server makes no HTML. */
export function requireRenderings({ renderings }: Pick<AppContext, 'renderings'>): Renderings {
  if (renderings === undefined) throw new HttpError('rest-html-not-configured')
  return renderings
}

/** Answers the HTML itself, in the same tick when it is stored. */
export function htmlReply(request: HtmlRequest, context: HtmlContext): Reply | Promise<Reply> {
  return withHtml(request, context, (ready) => {
    const validators = validatorsOf(request, ready, 'html')
    return conditionally(request.request.conditions, validators, () => {
      const ofVersion = ready.version === 0 ? HTML_HEADERS : headersOfVersion(formatVersion(ready.version))
      const headers = ofVersion + validatorLines(validators) + CACHE
      const body = { parts: packedParts(ready.packedHtml) }
      return reusableHtml({ status: 200, headers, body }, ready, validators)
    })
  })
}

/** Answers JSON: `head`, an open object, completed by the HTML as its field `html`. */
export function withHtmlReply(
  request: HtmlRequest,
  head: Buffer,
  context: HtmlContext,
): Reply | Promise<Reply> {
  return withHtml<Reply | Promise<Reply>>(request, context, (ready) => {
    const validators = validatorsOf(request, ready, 'with_html')
    return conditionally<Reply | Promise<Reply>>(request.request.conditions, validators, () => {
      const answer = (text: Uint8Array): Reply =>
        reusableHtml(json(Buffer.concat([head, text, CLOSING_BRACE]), validators, CACHE), ready, validators)
      const text = jsonString(packedParts(ready.packedHtml), context)
      return text instanceof Promise ? text.then(answer) : answer(text)
    })
  })
}

/** Maps a rendering failure to the client's error. `isConversion`: the client sent the text itself. */
export function htmlError(cause: unknown, revisionId: number, isConversion = false): unknown {
  if (cause instanceof RevisionGoneError) return new HttpError('rest-nonexistent-revision', [revisionId])
  if (cause instanceof ImportedHtmlError) return new HttpError('rest-conversion-imported')
  if (!(cause instanceof RenderError)) return cause
  if (isConversion && cause.isLimit) return new HttpError('rest-conversion-limit', [cause.message])
  const headers = { 'Retry-After': String(FAILURE_MS / 1000) }
  return cause.isLimit
    ? new HttpError('rest-html-limit', [cause.message], { headers })
    : new HttpError('rest-html-failed', [], { headers })
}

/** Reusable as long as the stored HTML: an edit that outdates the HTML drops it from the store. */
function reusableHtml(reply: Reply, { lifetime }: ReadyHtml, validators: Validators): Reply {
  return lifetime === undefined ? reply : reusable(reply, { validators, ...lifetime })
}

/** Calls `answer` with the HTML of a revision: in the same tick if it is stored. */
export function withHtml<Result>(
  { revisionId, request, isCurrent }: Pick<HtmlRequest, 'revisionId' | 'request' | 'isCurrent'>,
  context: Pick<AppContext, 'renderings'>,
  answer: (ready: ReadyHtml) => Result,
): Result | Promise<Awaited<Result>> {
  const renderings = requireRenderings(context)
  const kept = renderings.find(revisionId)
  if (kept !== undefined) {
    const { tag, expiresAt } = kept
    const lifetime = {
      isCurrent: () => isCurrent() && renderings.find(revisionId)?.tag === tag,
      ...(expiresAt !== 0 && { goodUntilMs: expiresAt * 1000 }),
    }
    return answer({ ...kept, lifetime })
  }
  return makeHtml(renderings.make(revisionId, addressKey(request.clientAddress())), revisionId, answer)
}

async function makeHtml<Result>(
  making: Promise<ReadyHtml>,
  revisionId: number,
  answer: (ready: ReadyHtml) => Result,
): Promise<Awaited<Result>> {
  let made: ReadyHtml
  try {
    made = await making
  } catch (error) {
    throw htmlError(error, revisionId)
  }
  return await answer(made)
}

function validatorsOf(
  { revisionId, wiki, stash, look }: HtmlRequest,
  { tag, madeAt }: ReadyHtml,
  form: 'html' | 'with_html',
): Validators {
  const flavour: HtmlFlavour = `${stash ? 'stash' : 'view'}/${form}`
  const etag = wiki.htmlTag(revisionId, tag, { flavour, ...(look && { look }) })
  return { etag, lastModified: madeAt, mayBeNewer: look !== undefined }
}

/** HTML as a JSON string in UTF-8. A compute thread converts long HTML. */
function jsonString(
  parts: readonly PackedPart[],
  { pool }: Pick<AppContext, 'pool'>,
): Uint8Array | Promise<Uint8Array> {
  if (lengthOf(parts) <= MAX_INLINE_BYTES.jsonString)
    return Buffer.from(JSON.stringify(unpackParts(parts).toString()))
  // The task may wait.
  return pool.run('htmlAsJson', { parts: parts.map(ownPart) })
}
