/** Properties of saxes that the dump reader needs, beyond its documentation. */
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'

test('saxes resolves each reference by a private method, which may be replaced', () => {
  const parser = new SaxesParser()
  const resolver = parser as unknown as { parseEntity(reference: string): string }
  expect(typeof resolver.parseEntity, 'xmlScanner.ts cannot replace parseEntity').toBe('function')
  const asked: string[] = []
  const resolve = resolver.parseEntity.bind(parser)
  resolver.parseEntity = (reference) => {
    asked.push(reference)
    return reference.startsWith('#') ? '?' : resolve(reference)
  }
  let text = ''
  parser.on('text', (part) => (text += part))
  parser.on('attribute', ({ value }) => (text += `${value} `))
  parser.write('<a b="&#2;">1 &lt; &#1; &#x1;</a>').close()
  expect(asked).toEqual(['#2', 'lt', '#1', '#x1'])
  expect(text).toBe('? 1 < ? ?')
})

test('saxes reports every fault through `fail`, and reads on when that returns', () => {
  const faults: string[] = []
  class Tolerant extends SaxesParser {
    override fail(message: string): this {
      faults.push(message)
      return this
    }
  }
  const parser = new Tolerant()
  let text = ''
  parser.on('text', (part) => (text += part))
  parser.write('<a>1 &nosuch; 2 \u0001 3</a>').close()
  expect(faults.length).toBeGreaterThan(1)
  expect(text).toContain('3')
})

test('saxes keeps the open elements in a private list, and closes them by a private method', () => {
  const parser = new SaxesParser()
  const reader = parser as unknown as { tags: { name: string }[]; name: string; closeTag(): void }
  expect(typeof reader.closeTag, 'xmlScanner.ts cannot see closing tags').toBe('function')
  const closings: string[][] = []
  const close = reader.closeTag.bind(parser)
  reader.closeTag = () => {
    closings.push([reader.name, ...reader.tags.map(({ name }) => name)])
    // Elements without closing tags, and one that has a second closing tag.
    if (reader.name === 'a') reader.tags.length = 1
    if (reader.name === 'c' && reader.tags.length === 2) reader.tags.push({ name: 'c' })
    close()
  }
  const closed: string[] = []
  parser.on('closetag', ({ name }) => closed.push(name))
  parser.write('<a><b><c></c></c><d></a>').close()
  expect(closings).toEqual([
    ['c', 'a', 'b', 'c'],
    ['c', 'a', 'b'],
    ['a', 'a', 'b', 'd'],
  ])
  expect(closed).toEqual(['c', 'c', 'a'])
})

test('saxes reads texts by a private method, which may be replaced', () => {
  const parser = new SaxesParser()
  const reader = parser as unknown as Record<string, unknown>
  expect(typeof reader['handleTextInRoot'], 'xmlText.ts cannot replace handleTextInRoot').toBe('function')
  const places: unknown[] = []
  const read = (reader['handleTextInRoot'] as () => void).bind(parser)
  reader['handleTextInRoot'] = () => {
    const before = [reader['chunkPosition'], reader['i'], reader['text'], reader['forbiddenState']]
    read()
    places.push([...before, reader['i'], reader['line']])
  }
  parser.on('text', () => undefined)
  parser.write('<a>b\n').write(']&lt;c</a>').close()
  expect(places).toEqual([
    [0, 3, '', 0, 6, 2],
    [5, 0, 'b\n', 0, 2, 2],
    [5, 5, 'b\n]<', 0, 7, 2],
  ])
})
