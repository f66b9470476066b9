/** A page's way to HTML and back over HTTP, and what of its wikitext came back. */

/** A page of the wiki that is sent around. */
export interface RoundTripPage {
  /** With underscores and namespace. */
  readonly key: string
  readonly revisionId: number
  readonly contentModel: string
  readonly wikitext: string
}

export interface RoundTrip {
  readonly key: string
  readonly contentModel: string
  readonly characters: number
  /** Of `GET …/html`: the rendering that is kept. */
  readonly status: number
  /** From the request to the last byte, and processor time of the server. */
  readonly wallMs: number
  readonly cpuMs: number
  readonly htmlCharacters: number
  /** What went wrong with the page: its answer, or elements that say so within the HTML. */
  readonly troubles: readonly string[]
  /** With the HTML that pages are read as, whose elements have ids; undefined: there was no HTML. */
  readonly page: WayBack | undefined
  /** With the HTML for editors, whose elements say where they came from. */
  readonly editable: WayBack | undefined
}

/** What of the wikitext came back. */
export interface WayBack {
  /** Whether the HTML as it was gave the wikitext as it was. */
  readonly unchanged: boolean
  /** Whether nothing was changed but that the new paragraphs came, one at each place; undefined: no paragraphs, as in code. */
  readonly added: boolean | undefined
}

/** Put after the lead and at the end. */
const PARAGRAPHS = ['Zebras and quaggas 4711', 'Okapis and tapirs 4712'] as const

/** Sends a page there and back, unchanged and with paragraphs added. `cpuMs` reads what the server has used so far. */
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

/** The wikitext that a server makes of a revision's HTML; its status and answer when it makes none. */
async function convertBack(url: string, revisionId: number, html: string): Promise<string> {
  const form = new FormData()
  form.set('html', html)
  form.set('oldid', String(revisionId))
  const answer = await fetch(url, { method: 'POST', body: form })
  const text = await answer.text()
  return answer.ok ? text : `${answer.status} ${text}`
}

/** Whether both ways gave back all that was sent. */
export function isWhole({ page, editable }: RoundTrip): boolean {
  return [page, editable].every((way) => way?.unchanged === true && way.added !== false)
}

/** Attributes may hold `>` between their quotes. */
const ERROR_ELEMENT =
  /<(strong|span|div|p)(?=[\s>])(?=(?:[^>"']|"[^"]*"|'[^']*')*?\sclass="[^"]*\b(?:error|texerror)\b)(?:[^>"']|"[^"]*"|'[^']*')*>(.*?)<\/\1>/gs

/** The text of each element that tells of an error, cut short. */
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

/** Whether a text is another with paragraphs put in, and line breaks around them. */
export function onlyAdded(before: string, after: string): boolean {
  const [middle, last] = PARAGRAPHS
  const end = after.lastIndexOf(last)
  if (end < 0) return false
  const start = after.indexOf(middle)
  const parts = [after.slice(0, end), after.slice(end + last.length)]
  if (start >= 0) parts.splice(0, 1, after.slice(0, start), after.slice(start + middle.length, end))
  return isPutTogether(before, parts)
}

/** Whether a text consists of parts, but for line breaks where they meet. */
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
