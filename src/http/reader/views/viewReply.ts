/** Replies with views: pages in the shell, equal for everyone or for one user. */
import { createHash } from 'node:crypto'
import { prefixedText } from '../../../domain/title.js'
import { html, type PagePart } from '../../../reader/html.js'
import { type MessageKey, word, wordOf } from '../../../reader/messages.js'
import { shell, type ShellView } from '../../../reader/parts/shell.js'
import type { SelectedTab } from '../../../reader/tabs.js'
import { productVersion } from '../../../runtime/version.js'
import { conditionally, headerLines, type Reply, reusable, validatorLines } from '../../reply/reply.js'
import type { HttpContext } from '../../routing/route.js'
import { pageFrame } from '../pageFrame.js'
import { pageHeaders, type PagePolicy, PRIVATE } from '../pageReply.js'
import { shownTitle } from '../variants.js'
import type { Visit } from '../visit.js'

/** Browsers ask again each time, so that people see their own edits at once. */
const REVALIDATED = headerLines({ 'Cache-Control': 'no-cache' })
/** A hash of a longer page takes a good part of a millisecond. */
const MAX_TAGGED_BYTES = 256 * 1024
const TAG_DIGITS = 24

/** A view that is the same for everyone. It is ready for further requests until the store changes. */
export function sharedReply(
  visit: Visit,
  view: ShellView,
  parts: readonly PagePart[],
  policy: PagePolicy = {},
): Reply {
  const body = pageBytes(view, parts)
  const etag = body.length > MAX_TAGGED_BYTES ? undefined : `"${digestOf(body, visit)}"`
  const validators = { etag, lastModified: undefined }
  return conditionally(visit.request.conditions, validators, () => {
    const headers = pageHeaders(policy, validatorLines(validators) + REVALIDATED + visit.vary)
    return reusable({ status: 200, headers, body }, { validators })
  })
}

/** The body is that before titles are converted, which the version does. */
function digestOf(body: Uint8Array, { variant }: Visit): string {
  const hash = createHash('sha256').update(body)
  if (variant !== undefined) hash.update(`${variant.code} ${productVersion()}`)
  return hash.digest('hex').slice(0, TAG_DIGITS)
}

export interface PrivateReplyOptions {
  readonly status?: number
  /** Lines of `headerLines` and cookies. */
  readonly headers?: string
  readonly policy?: PagePolicy
}

/** A view for one user, which no cache keeps. */
export function privateReply(
  view: ShellView,
  parts: readonly PagePart[],
  { status = 200, headers = '', policy = {} }: PrivateReplyOptions = {},
): Reply {
  return {
    status,
    headers: pageHeaders(policy, PRIVATE + headers),
    body: pageBytes(view, parts),
  }
}

function pageBytes(view: ShellView, parts: readonly PagePart[]): Buffer {
  const { head, tail } = shell(view)
  const bytes = parts.map((part) => (part instanceof Uint8Array ? part : Buffer.from(part.text)))
  return Buffer.concat([Buffer.from(head), ...bytes, Buffer.from(tail)])
}

/** The shell of a view of a page, with its tabs. */
export function pageShell(
  visit: Visit,
  context: HttpContext,
  facts: {
    readonly path: string
    readonly selected: SelectedTab
    /** Heading, with the title as its value. */
    readonly message: MessageKey
  },
): ShellView {
  const { title, namespaces, site } = visit
  const { path, selected, message } = facts
  const frame = pageFrame(title, selected, visit, context).view()
  // Forms with the source show the title as it is written.
  const name = selected === 'edit' ? prefixedText(title, namespaces) : shownTitle(title, visit)
  const heading = html`${word(site, message, html`<bdi>${name}</bdi>`)}`
  return { site, title: wordOf(site, message, name), heading, path, ...frame, isInterfaceContent: true }
}

/** The shell of a special page. */
export function specialShell({ site }: Visit, heading: string, path: string): ShellView {
  return { site, title: heading, path, isInterfaceContent: true }
}
