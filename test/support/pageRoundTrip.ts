/** Converts a page to HTML and back over HTTP, and compares the wikitext. */

/** A page of the wiki to convert. */
export interface RoundTripPage {
  /** The page's key, with underscores and namespace. */
  readonly key: string
  readonly revisionId: number
  readonly contentModel: string
  readonly wikitext: string
}

export interface RoundTrip {
  readonly key: string
  readonly contentModel: string
  readonly characters: number
  /** Status of `GET …/html`, which is the kept rendering. */
  readonly status: number
  /** From the request to the last byte; processor time of the server. */
  readonly wallMs: number
  readonly cpuMs: number
  readonly htmlCharacters: number
  /** Faults of the page: its answer, or error elements in its HTML. */
  readonly troubles: readonly string[]
  /** The result with HTML for readers, whose elements have ids. Undefined if there was no HTML. */
  readonly page: WayBack | undefined
  /** The result with HTML for editors, whose elements contain their places in the source. */
  readonly editable: WayBack | undefined
}

/** The result of converting HTML back to wikitext. */
export interface WayBack {
  /** True if unchanged HTML gave the same wikitext. */
  readonly unchanged: boolean
  /**
   * True if adding paragraphs to the HTML changed nothing else, and each came once. Undefined if the page takes no
   * paragraphs, as for code.
   */
  readonly added: boolean | undefined
}

/** Added after the lead and at the end. */
const PARAGRAPHS = ['Zebras and quaggas 4711', 'Okapis and tapirs 4712'] as const

/** Converts a page both ways, unchanged and with paragraphs added. `cpuMs` reads the server's processor time so far. */
export async function roundTrip(
  origin: string,
  wikiId: string,
  page: RoundTripPage,
  cpuMs: () => number,
): Promise<RoundTrip> {
  const { key, revisionId, contentModel, wikitext } = page
  const startMs = performance.now()
  const startCpuMs = cpuMs()
  const rendered = await fetch(`${origin}/v1/revision/${revisionId}/html`)
  const html = await rendered.text()
  const spent = { wallMs: performance.now() - startMs, cpuMs: cpuMs() - startCpuMs }
  const facts = { key, contentModel, characters: wikitext.length, status: rendered.status, ...spent }
  if (!rendered.ok) {
    const troubles = [`${rendered.status} ${html.slice(0, 200)}`]
    return { ...facts, htmlCharacters: 0, troubles, page: undefined, editable: undefined }
  }
  const url = `${origin}/${wikiId}/${encodeURIComponent(key)}`
  const editable = await (await fetch(`${url}?oldid=${revisionId}`)).text()
  const wayBack = async (sent: string): Promise<WayBack> => {
    const isWikitext = contentModel === 'wikitext'
    const changed = isWikitext ? await convertBack(url, revisionId, withParagraphs(sent)) : undefined
    return {
      unchanged: (await convertBack(url, revisionId, sent)) === wikitext,
      added: changed === undefined ? undefined : onlyAdded(wikitext, changed),
    }
  }
  return {
    ...facts,
    htmlCharacters: html.length,
    troubles: errorElements(html),
    page: await wayBack(html),
    editable: await wayBack(editable),
  }
}

/** The wikitext that a server makes from a revision's HTML. If it makes none, its status and answer. */
async function convertBack(url: string, revisionId: number, html: string): Promise<string> {
  const form = new FormData()
  form.set('html', html)
  form.set('oldid', String(revisionId))
  const answer = await fetch(url, { method: 'POST', body: form })
  const text = await answer.text()
  return answer.ok ? text : `${answer.status} ${text}`
}

/** True if both ways returned everything that was sent. */
export function isWhole({ page, editable }: RoundTrip): boolean {
  return [page, editable].every((way) => way?.unchanged === true && way.added !== false)
}

/** Quoted attributes may contain `>`. */
const ERROR_ELEMENT =
  /<(strong|span|div|p)(?=[\s>])(?=(?:[^>"']|"[^"]*"|'[^']*')*?\sclass="[^"]*\b(?:error|texerror)\b)(?:[^>"']|"[^"]*"|'[^']*')*>(.*?)<\/\1>/gs

/** The text of each error element, shortened. */
export function errorElements(html: string): string[] {
  const errors = html.matchAll(ERROR_ELEMENT)
  return [...errors].map(([, , content = '']) => content.replace(/<[^>]*>/g, '').slice(0, 120))
}

function withParagraphs(html: string): string {
  const [middle, last] = PARAGRAPHS.map((text) => `<p>${text}</p>`)
  const end = html.lastIndexOf('</section></body>')
  const longer = `${html.slice(0, end)}${last}${html.slice(end)}`
  return longer.replace(/<\/section><section data-mw-section-id="1"/, (found) => `${middle}${found}`)
}

/** True if `after` is `before` with the paragraphs added, and line breaks around them. */
export function onlyAdded(before: string, after: string): boolean {
  const [middle, last] = PARAGRAPHS
  const end = after.lastIndexOf(last)
  if (end < 0) return false
  const start = after.indexOf(middle)
  const parts = [after.slice(0, end), after.slice(end + last.length)]
  if (start >= 0) parts.splice(0, 1, after.slice(0, start), after.slice(start + middle.length, end))
  return isPutTogether(before, parts)
}

/** True if a text consists of the parts, apart from line breaks between them. */
function isPutTogether(text: string, parts: readonly string[]): boolean {
  let at = 0
  for (const [n, part] of parts.entries()) {
    let kept = part
    if (n > 0) {
      kept = kept.replace(/^\n+/, '')
      while (text[at] === '\n') at++
    }
    if (n < parts.length - 1) kept = kept.replace(/\n+$/, '')
    if (!text.startsWith(kept, at)) return false
    at += kept.length
  }
  return at === text.length
}
