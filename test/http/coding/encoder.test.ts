import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { parseAccepted } from '../../../src/http/coding/codings.js'
import { Encoder } from '../../../src/http/coding/encoder.js'
import { headerLines, type ReadyReply, type Reply } from '../../../src/http/reply/reply.js'
import { packPart } from '../../../src/storage/html/packedHtml.js'

const headers = headerLines({ 'Content-Type': 'text/html', ETag: '"t"' })
const encoder = new Encoder({ run: () => Promise.reject(new Error('no thread is needed')) }, true)

/** A page of text and packed HTML. `inside` bytes of HTML. */
function page(name: string, inside: number): { readonly reply: Reply; readonly text: string } {
  const [before, html, after] = [
    `<h1>${name} – Süß</h1>`,
    `<p>${name}</p>`.repeat(inside / 10),
    '日本</html>',
  ]
  const parts = [before, packPart(Buffer.from(html)), after]
  return { reply: { status: 200, headers, body: { parts } }, text: before + html + after }
}

const textOf = ({ headers: lines, body }: ReadyReply): string => {
  const bytes = body as Uint8Array
  return (lines.includes('Content-Encoding: gzip') ? gunzipSync(bytes) : Buffer.from(bytes)).toString()
}

describe.each(['', 'gzip'])('an answer in parts for a client that accepts "%s"', (accepts) => {
  const accepted = parseAccepted(accepts)

  test.each([10, 1000, 50_000, 100_000])('has its text, with %i bytes of HTML', async (inside) => {
    const { reply, text } = page('Moon', inside)
    expect(textOf(await encoder.encode(reply, accepted))).toBe(text)
  })

  test('keeps its text when it is sent after others', async () => {
    const pages = ['Moon', 'Sun', 'Star'].flatMap((name) => [page(name, 900), page(name, 100_000)])
    const answers = await Promise.all(
      pages.map(async ({ reply }) => await encoder.encode(Promise.resolve(reply), accepted)),
    )
    expect(answers.map(textOf)).toEqual(pages.map(({ text }) => text))
  })
})

test('short answers keep their bytes when they are sent after others', async () => {
  const bodies = ['moon ', 'sun '].map((word) => Buffer.from(word.repeat(700)))
  const replies = bodies.map((body) => Promise.resolve({ status: 200, headers, body }))
  const answers = await Promise.all(
    replies.map(async (reply) => await encoder.encode(reply, parseAccepted('gzip'))),
  )
  expect(answers.map(textOf)).toEqual(bodies.map(String))
})
