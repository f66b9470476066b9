/**
 * Outline of a page's HTML: what the page around it shows. It is kept with the HTML, so that a server can put a shell
 * around the HTML without parsing it.
 */

export interface Outline {
  /** Bytes of the HTML that are inside of its body element: start and end. */
  readonly body: readonly [number, number]
  /** Headings with an id: level from 1 to 6, id, text. */
  readonly headings: readonly (readonly [level: number, id: string, text: string])[]
  /** Keys of categories, with their namespace, and 1 if the category has a page. */
  readonly categories: readonly (readonly [key: string, exists: 0 | 1])[]
  /** Keys of those that readers do not see. */
  readonly hiddenCategories?: readonly string[]
  /** URLs of the page in other languages, as links in the text give them. Absent if they lie beside the outline. */
  readonly languages?: readonly string[]
  /** SHA-256 of each style block in the body, in base64, as a Content-Security-Policy states it. */
  readonly styles: readonly string[]
  /** Beginning of the first paragraph. It may be empty. */
  readonly lead: string
  /** The title as the author wants it shown: HTML with nothing but emphasis. */
  readonly displayTitle?: string
  /** Address of the first picture that is not tiny. */
  readonly picture?: string
  /** Present if the author wants no contents list. */
  readonly hidesContents?: true
  /** Present if the author wants one for any number of headings. */
  readonly forcesContents?: true
  /** Present if the author wants search engines to leave the page out. */
  readonly isUnlisted?: true
  /** Present if the HTML or the texts here have markup of language variants. */
  readonly variants?: true
  /** Names of the categories, if they are shown otherwise than their keys say. */
  readonly categoryNames?: readonly string[]
}

export function encodeOutline(outline: Outline): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(outline))
}

/** Reads what `encodeOutline` made. */
export function decodeOutline(bytes: Uint8Array): Outline {
  const { buffer, byteOffset, byteLength } = bytes
  return JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString()) as Outline
}

const BODY_END = '</body>'

/** The fault of an outline of an HTML document; undefined if it is sound. */
export function outlineFault(bytes: Uint8Array, html: Buffer): string | undefined {
  let outline: Partial<Outline>
  try {
    outline = { ...decodeOutline(bytes) }
  } catch (error) {
    return `its outline cannot be read (${String(error)})`
  }
  const { body, headings, categories, languages, styles, lead } = outline
  if (![body, headings, categories, languages ?? [], styles].every(Array.isArray) || typeof lead !== 'string')
    return 'its outline lacks a part'
  const [start, end] = body!
  const isInside =
    html.toString('latin1', start - 1, start) === '>' &&
    html.toString('latin1', end, end + BODY_END.length) === BODY_END
  return isInside && start <= end ? undefined : 'its outline does not show where its body is'
}
