/** Texts that are read by searches for their ends are those that saxes reads by itself. */
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { quickenTexts } from '../../src/dump/xmlText.js'
import { randomNumbers } from '../support/random.js'

const PARTS = [
  ...['x', ' ', ']', ']]', ']>', ']]>', '>', '\n', '\r', '\r\n', '\u0001', '\ufffe', 'é', '漢', '😀'],
  ...['&amp;', '&lt;', '&gt;', '&quot;', '&apos;', '&#65;', '&#x1;', '&am', '&unknown;', '&', ';', 'amp;'],
  ...['<b/>', '<b c="&lt;\n">', '</b>', '<!-- ] -->', '<![CDATA[&]]>', '<?p ]?>', 'some words of a text'],
]

class Recorder extends SaxesParser {
  readonly events: unknown[] = []

  constructor() {
    super()
    this.on('text', (text) => this.#note('text', text))
    this.on('cdata', (text) => this.#note('cdata', text))
    this.on('opentag', ({ name, attributes }) => this.#note('open', name, { ...attributes }))
    this.on('closetag', ({ name }) => this.#note('close', name))
  }

  override fail(message: string): this {
    this.#note('fault', message)
    return this
  }

  #note(...event: unknown[]): void {
    this.events.push([...event, this.line, this.position])
  }
}

function eventsOf(chunks: readonly string[], isQuick: boolean): unknown[] {
  const parser = new Recorder()
  if (isQuick) quickenTexts(parser)
  for (const chunk of chunks) parser.write(chunk)
  parser.close()
  return parser.events
}

test('any document in any chunks has the same events, faults and places', () => {
  const random = randomNumbers(23)
  const below = (limit: number): number => Math.floor(random() * limit)
  for (let n = 0; n < 5000; n++) {
    const body = Array.from({ length: below(12) }, () => PARTS[below(PARTS.length)]!).join('')
    const document = `<a>${body}</a>`
    const chunks: string[] = []
    const size = 1 + below(n % 2 === 0 ? 8 : 60)
    for (let at = 0; at < document.length; at += size) chunks.push(document.slice(at, at + size))
    expect({ document, size, events: eventsOf(chunks, true) }).toEqual({
      document,
      size,
      events: eventsOf(chunks, false),
    })
  }
})

test('equal chunks one after another are read each', () => {
  const chunks = ['<a>', 'x &lt; y\n', 'x &lt; y\n', '</a>']
  expect(eventsOf(chunks, true)).toEqual(eventsOf(chunks, false))
})
