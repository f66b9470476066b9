/**
 * Pages in the variants of the wiki's language. A compute thread makes articles from the HTML of the store. On other
 * pages, views mark the titles that they show, and `inVariant` has them converted.
 */
import { createHash } from 'node:crypto'
import { decodeOutline } from '../../domain/outline.js'
import { prefixedKey, prefixedText, type Title } from '../../domain/title.js'
import { markedHtml, markedName, MARKS } from '../../domain/variantMarks.js'
import { ownBody } from '../../storage/html/packedHtml.js'
import type { PackedVariant } from '../../workers/compute/tasks.js'
import { type BodyPart, isHtml, type Reply } from '../reply/reply.js'
import type { HttpContext } from '../routing/route.js'
import type { ReadyHtml } from '../views/html.js'
import { pagesInVariants } from '../views/variantTitles.js'
import type { Visit } from './visit.js'

/**
 * The variant that HTML has to be converted to, for this reader. It is the language itself if texts stay as they are
 * written, but have markup of variants. Undefined if nothing has to be done.
 */
export function shownVariant(
  { outline }: Pick<ReadyHtml, 'outline'>,
  { wiki, variant }: Visit,
): string | undefined {
  if (wiki.variants === undefined) return undefined
  const { main } = wiki.variants
  const code = variant?.code ?? main
  return code !== main || decodeOutline(outline).variants === true ? code : undefined
}

/** Key of the page that the wiki has under this title in the letters of another variant; undefined if it has none. */
export async function keyInVariant(
  title: Title,
  { wiki, namespaces }: Pick<Visit, 'wiki' | 'namespaces'>,
  context: Pick<HttpContext, 'pool' | 'store' | 'pages'>,
): Promise<string | undefined> {
  const [found] = await pagesInVariants([title], wiki.site.language, context)
  return found && prefixedKey(found, namespaces)
}

interface ShownPage {
  readonly variant: string
  /** Of the page, in reading form. */
  readonly name: string
}

/** Takes all that it needs from the HTML before it waits. Pages in use stay in memory with finished comparisons. */
export async function readVariant(
  { packedHtml, outline, tag }: Pick<ReadyHtml, 'packedHtml' | 'outline' | 'tag'>,
  shown: ShownPage,
  { wiki }: Visit,
  { pool, comparisons }: Pick<HttpContext, 'pool' | 'comparisons'>,
): Promise<PackedVariant> {
  const digest = createHash('sha256')
    .update(JSON.stringify([shown, tag]))
    .update(outline)
    .digest('base64')
  const key = `variant ${digest}`
  const kept = comparisons.get(key)
  if (kept !== undefined) return decodeKept(kept)
  const page = { ...shown, language: wiki.site.language, outline: decodeOutline(outline) }
  const made = await pool.run('readVariant', { parts: ownBody(packedHtml), page })
  comparisons.set(key, encodeKept(made))
  return made
}

const LENGTH_BYTES = 4

/** The length of the other parts, these as JSON, and the packed HTML. */
function encodeKept({ packedHtml, ...others }: PackedVariant): Uint8Array {
  const json = Buffer.from(JSON.stringify(others))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(json.length)
  return Buffer.concat([length, json, packedHtml])
}

function decodeKept(kept: Uint8Array): PackedVariant {
  const bytes = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength)
  const end = LENGTH_BYTES + bytes.readUInt32BE()
  const others = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, end)) as Omit<PackedVariant, 'packedHtml'>
  return { ...others, packedHtml: bytes.subarray(end) }
}

// Titles and texts around the articles: `inVariant` shows them.

type Reader = Pick<Visit, 'wiki' | 'variant'>

/** Code of the variant that titles are shown in; undefined for titles as they are written. */
const variantOf = ({ wiki, variant }: Reader): string | undefined =>
  variant?.code === wiki.variants?.main ? undefined : variant?.code

/** A title in reading form, or a part of one. It must not become a part of an address. */
export const shownName = (name: string, reader: Reader): string =>
  variantOf(reader) === undefined ? name : markedName(name)

export const shownTitle = (title: Title, visit: Reader & Pick<Visit, 'namespaces'>): string =>
  shownName(prefixedText(title, visit.namespaces), visit)

/** Content of an element: HTML, or a text that is still to be escaped. */
export const shownText = (text: string, reader: Reader): string =>
  variantOf(reader) === undefined ? text : markedHtml(text)

/** The page with its marked texts in the reader's variant. */
export function inVariant(
  reply: Reply | Promise<Reply>,
  visit: Reader,
  context: Pick<HttpContext, 'pool'>,
): Reply | Promise<Reply> {
  const variant = variantOf(visit)
  if (variant === undefined) return reply
  if (reply instanceof Promise) return reply.then((page) => inVariant(page, visit, context))
  const parts = isHtml(reply) ? partsOf(reply.body) : []
  const texts = parts.filter(isMarked)
  if (texts.length === 0) return reply
  const { language } = visit.wiki.site
  return context.pool.run('readMarked', { texts, language, variant }).then((read) => {
    const made = read.values()
    const [first, ...others] = parts.map((part) => (isMarked(part) ? made.next().value! : part))
    const body = first instanceof Uint8Array ? first : { parts: [first!, ...(others as BodyPart[])] }
    return { ...reply, body }
  })
}

type Part = BodyPart | Uint8Array

function partsOf(body: Reply['body']): readonly Part[] {
  if (body instanceof Uint8Array) return [body]
  return body !== undefined && 'parts' in body ? body.parts : []
}

const isMarked = (part: Part): part is string | Uint8Array =>
  (typeof part === 'string' && MARKS.some((mark) => part.includes(mark))) ||
  (part instanceof Uint8Array && MARKS.some((mark) => bufferOf(part).includes(mark)))

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
