/** Asks a wiki for the HTML of one revision, and for the templates that it shows. Nothing in the answers is trusted. */
import { type HtmlVersion, statedHtmlVersion } from '../../domain/html.js'
import type { Namespaces } from '../../domain/namespaces.js'
import type { Title } from '../../domain/title.js'
import { parseHttpDate } from '../../domain/timestamp.js'
import { pageTitle } from '../api/answers.js'
import type { ApiClient } from '../api/apiClient.js'
import { type Fields, rowsOf, Unstorable } from '../api/fields.js'
import { Requests } from '../api/requests.js'

/** The answer is no HTML of the revision. Another request would bring the same. */
export class HtmlRefused extends Error {
  override readonly name = 'HtmlRefused'
}

export interface AnsweredHtml {
  readonly html: Buffer
  readonly version: HtmlVersion
  /** When the wiki rendered it, in seconds since 1970. */
  readonly renderedAt: number
  /** SHA-1 of the revision's text, as the document states it. */
  readonly sha1: Buffer | undefined
  readonly templates: readonly Title[]
}

/** Longest document, in bytes. */
const MAX_HTML_BYTES = 8 * 2 ** 20
/** Facts of a document stand in its head. */
const HEAD_BYTES = 16_384
const REVISION_OF_DOCUMENT = /<html\b[^>]*\sabout="[^"]*\/revision\/(\d{1,10})"/
const REVISION_OF_TAG = /^(?:W\/)?"(\d{1,10})\//
const STATED_SHA1 = /<meta\s+property="mw:revisionSHA1"\s+content="([0-9a-f]{40})"/
/** The store keeps 2000 templates of a page. */
const MAX_TEMPLATES = 2000

/** `api.php` and `rest.php` are in one folder. */
const restUrl = (apiUrl: string): string => apiUrl.replace(/api\.php$/, 'rest.php')

export interface Asked {
  readonly apiUrl: string
  readonly pageId: number
  readonly revisionId: number
  readonly namespaces: Namespaces
}

/** Throws HtmlRefused, and what the client throws. */
export async function askHtml(client: ApiClient, asked: Asked): Promise<AnsweredHtml> {
  const { apiUrl, revisionId } = asked
  const url = `${restUrl(apiUrl)}/v1/revision/${revisionId}/html`
  const { headers, body } = await client.document(url, MAX_HTML_BYTES)
  if (!/^text\/html\b/i.test(headers.get('content-type') ?? ''))
    throw new HtmlRefused('the answer is no HTML')
  const head = body.toString('utf8', 0, HEAD_BYTES)
  requireRevision(head, headers, revisionId)
  const version = statedHtmlVersion(head)
  if (version === undefined) throw new HtmlRefused('the HTML does not state its version')
  const renderedAt = parseHttpDate(headers.get('last-modified') ?? '')
  if (renderedAt === undefined) throw new HtmlRefused('the answer does not tell when the HTML was rendered')
  if (!/<\/html>\s*$/.test(body.toString('utf8', Math.max(0, body.length - 100))))
    throw new HtmlRefused('the HTML was cut off')
  const [, sha1] = STATED_SHA1.exec(head) ?? []
  return {
    html: body,
    version,
    renderedAt,
    sha1: sha1 === undefined ? undefined : Buffer.from(sha1, 'hex'),
    templates: await templatesOf(client, asked),
  }
}

/** The document must name the revision, and the entity tag must not name another one. */
function requireRevision(head: string, headers: Headers, revisionId: number): void {
  const [, stated] = REVISION_OF_DOCUMENT.exec(head) ?? []
  const [, tagged = stated] = REVISION_OF_TAG.exec(headers.get('etag') ?? '') ?? []
  if (Number(stated) === revisionId && Number(tagged) === revisionId) return
  const what = (stated ?? 'unknown') + (tagged === stated ? '' : ` (${tagged} by its tag)`)
  throw new HtmlRefused(`the HTML is of revision ${what}, not of ${revisionId}`)
}

/** Templates and modules of a page, those of its templates among them. */
async function templatesOf(client: ApiClient, { pageId, namespaces }: Asked): Promise<Title[]> {
  const titles: Title[] = []
  const fields = { prop: 'templates', pageids: pageId, tllimit: 'max' }
  const read = (query: Fields): Title[] =>
    rowsOf(query['pages'], 'pages').flatMap((page) =>
      rowsOf(page['templates'], 'templates').flatMap((row) => titleOf(row, namespaces)),
    )
  for await (const part of new Requests(client).all(fields, read)) {
    titles.push(...part)
    if (titles.length >= MAX_TEMPLATES) break
  }
  return titles.slice(0, MAX_TEMPLATES)
}

/** No page here has a title that is not valid here. */
function titleOf(row: Fields, namespaces: Namespaces): Title[] {
  try {
    return [pageTitle(row, namespaces)]
  } catch (error) {
    if (error instanceof Unstorable) return []
    throw error
  }
}
