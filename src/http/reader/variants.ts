/** Pages in the variants of the wiki's language: a compute thread makes them from the HTML of the store. */
import { createHash } from 'node:crypto'
import { decodeOutline } from '../../domain/outline.js'
import { prefixedKey, type Title } from '../../domain/title.js'
import { ownBody } from '../../storage/html/packedHtml.js'
import type { PackedVariant } from '../../workers/compute/tasks.js'
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
  /** HTML below that of the page. */
  readonly below?: string | undefined
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
