/** The outline of rendered pages, hostile ones too. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { encodeOutline, type Outline, outlineFault } from '../../src/domain/outline.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { displayTitleHtml } from '../../src/domain/displayTitle.js'
import { outlineOf } from '../../src/render/outline.js'
import { parsoid, TestWiki } from './support/engine.js'

const namespaces = new Namespaces(DEFAULT_SITE)
const ROSE = { namespace: 0, dbkey: 'Rose' }

/** The outline of a text, of which the categories named exist. */
async function outline(
  wikitext: string,
  existing: readonly string[] = [],
): Promise<Outline & { html: string }> {
  const { html, document } = await new TestWiki().render(wikitext)
  const source = { pageExists: ({ dbkey }: { dbkey: string }) => existing.includes(dbkey) }
  return { ...outlineOf(document, html, { title: ROSE, namespaces, source }), html }
}

/** The outline of a document of a browser's parser, as imported HTML has. */
function outlineOfHtml(body: string, head = ''): Outline & { html: string } {
  const document = parsoid.parseHtml(`<!DOCTYPE html><html><head>${head}</head><body>${body}</body></html>`)
  const html = parsoid.ContentUtils.toXML(document, { innerXML: false })
  return {
    ...outlineOf(document, html, { title: ROSE, namespaces, source: { pageExists: () => false } }),
    html,
  }
}

const bodyOf = ({ html, body: [start, end] }: Outline & { html: string }): string =>
  Buffer.from(html).toString('utf8', start, end)

describe('an outline', () => {
  test('passes over comments in the first paragraph, which have no attributes', async () => {
    const { lead } = await outline('A rose is<!-- no tree --> a flower of gardens.<!-- really -->\n\nMore.')
    expect(lead).toBe('A rose is a flower of gardens.')
  })

  test('has headings with levels, ids and texts', async () => {
    const { headings } = await outline(
      "== Ä & B ==\n=== ''c''<ref>note</ref> ===\n== Ä & B ==\n<h5>raw</h5><references />",
    )
    expect(headings).toEqual([
      [2, 'Ä_&_B', 'Ä & B'],
      [3, 'c[1]', 'c'],
      [2, 'Ä_&_B_2', 'Ä & B'],
      [5, 'raw', 'raw'],
    ])
  })

  test('has each category once, and whether it has a page', async () => {
    const { categories } = await outline(
      '[[Category:Plants|Rose]] [[category:red things]] [[Category:Plants]] [[:Category:No]]',
      ['Plants'],
    )
    expect(categories).toEqual([
      ['Category:Plants', 1],
      ['Category:Red_things', 0],
    ])
  })

  test('has links to other languages', async () => {
    const { languages } = await outline('[[de:Rose]] text [[fr:Rosier (plante)]]')
    expect(languages).toEqual([
      'https://de.wikipedia.org/wiki/Rose',
      'https://fr.wikipedia.org/wiki/Rosier%20(plante)',
    ])
  })

  test('knows the switches that concern readers', async () => {
    expect(await outline('a __NOTOC__ b')).toMatchObject({ hidesContents: true })
    expect(await outline('a __NOINDEX__ b')).toMatchObject({ isUnlisted: true })
    expect(await outline('a __TOC__ b __NOTOC__')).toMatchObject({ forcesContents: true })
    const forced = await outline('a __FORCETOC__ __NOTOC__ b')
    expect([forced.forcesContents, forced.hidesContents]).toEqual([true, undefined])
    const plain = await outline('a')
    expect([plain.hidesContents, plain.forcesContents, plain.isUnlisted]).toEqual([
      ...[undefined, undefined, undefined],
    ])
  })

  test.each([
    ["''Rose''", '<i>Rose</i>'],
    ["'''''Rose'''''", '<b><i>Rose</i></b>'],
    ["R'''o'''se", 'R<b>o</b>se'],
    ['<span style="x">rose</span>', 'rose'],
    ["''Rose", undefined],
    ["''\u00a0rose", undefined],
    ['Weed', undefined],
  ])('shows the title %j as %j', async (title, shown) => {
    expect((await outline(`a {{DISPLAYTITLE:${title}}}`)).displayTitle).toBe(shown)
  })

  test.each([
    ["The '''rose''' is a [[plant]].<ref>Not this</ref> It grows.", 'The rose is a plant. It grows.'],
    ['{|\n| A table that comes before the text\n|}\nThe rose is a plant.', 'The rose is a plant.'],
    ['<p>51° N</p>\nThe rose is a plant of the north.', 'The rose is a plant of the north.'],
    ['Short.', 'Short.'],
    ['== Only ==\nThe rose is a plant.', 'The rose is a plant.'],
    ['<p style="display:none">nobody sees this text</p>The rose is a plant.', 'The rose is a plant.'],
    ['', ''],
    ['{{About}} {{Pp-move-indef}}\n\nThe rose is a plant.', 'The rose is a plant.'],
    ['{{Infobox plant}} The rose ({{IPA}}; {{Lang-la}}) is a plant ({{Lang}}).', 'The rose is a plant.'],
    ['The rose {{IPA}}, ({{IPA}}, {{Lang}}; red, {{IPA}}) grows.', 'The rose, (red) grows.'],
    ['{{Infobox plant}} The rose ({{IPA}}; red) is a plant.', 'The rose (red) is a plant.'],
    ['[[Template:About]] is a link, and [[Nowhere]], too.', 'is a link, and Nowhere, too.'],
    ['<span id="coordinates">Place: 1° N</span> The rose is a plant.', 'The rose is a plant.'],
    ['<span class="geo-dms">1° N</span> The rose is a plant.', 'The rose is a plant.'],
    [
      '<div role="note"><p>This page is about the plant.</p></div>\nThe rose is a plant.',
      'The rose is a plant.',
    ],
  ])('of %j begins with %j', async (wikitext, lead) => {
    expect((await outline(wikitext)).lead).toBe(lead)
  })

  test('cuts a long paragraph at a word', async () => {
    const { lead } = await outline('A rose is red. '.repeat(100))
    expect(lead).toMatch(/ (is|A|rose|red\.)…$/)
    expect(lead.length).toBeLessThanOrEqual(401)
  })

  test('hashes style blocks as browsers do', () => {
    const css = '.mw-parser-output .a{content:"<\\/b>"}\n'
    const { styles, html } = outlineOfHtml(`<style>${css}</style><p>x</p><style>${css}</style>`)
    const [, shown] = /<style>([^]*?)<\/style>/.exec(html)!
    expect(styles).toEqual([createHash('sha256').update(shown!).digest('base64')])
  })

  test('has the first picture that is not tiny', () => {
    const { picture } = outlineOfHtml(
      '<img src="//a/i.png" width="20"><table><tr><td><img src="//a/r.jpg" width="220">',
    )
    expect(picture).toBe('//a/r.jpg')
    expect(outlineOfHtml('<h2 id="a">a</h2><img src="//a/r.jpg" width="220">').picture).toBeUndefined()
  })
})

test.each([
  ['<i>Ro</i>se', '<i>Ro</i>se'],
  ['<i>Rose</b>', undefined],
  ['</i>Rose', undefined],
  ['<i onclick="a()">Rose</i>', undefined],
  ['<script>Rose</script>', 'Rose'],
  ['<<b>i>Rose', undefined],
  ['R&amp;D', 'R&amp;D'],
  ['<i', '&lt;i'],
  ["'".repeat(9), undefined],
])('the title %j becomes %j', (title, shown) => {
  expect(displayTitleHtml(title)).toBe(shown)
})

describe('the body in an outline is the inside of the body', () => {
  test.each([
    ['plain text', '<p>ä 🙂 日本</p>', ''],
    ['tags in attributes', `<p title="</body><body>" data-mw='{"a":"&lt;/body>&lt;body>"}'>x</p>`, ''],
    ['a head with odd attributes', '<p>x</p>', '<meta content="<body>"><meta property=\'">\' content="é">'],
    ['a title that looks like a tag', '<p>x</p>', '<title></head><body>é</title>'],
    ['nothing', '', ''],
    ['a style with tags', '<style>a{content:"<body></body "}</style>', ''],
  ])('with %s', (_name, body, head) => {
    const outline = outlineOfHtml(body, head)
    const document = parsoid.parseHtml(outline.html)
    expect(bodyOf(outline)).toBe(parsoid.ContentUtils.toXML(document.body, { innerXML: true }))
    expect(outlineFault(encodeOutline(outline), Buffer.from(outline.html))).toBeUndefined()
  })
})

describe('hostile pages', () => {
  test.each([
    ['many headings', '<h2 id="a">x</h2>'.repeat(50_000)],
    ['long headings', `<h2 id="a">${'x'.repeat(2_000_000)}</h2>`],
    [
      'many categories',
      Array.from(
        { length: 20_000 },
        (_, n) => `<link rel="mw:PageProp/Category" href="./Category:${n}">`,
      ).join(''),
    ],
    ['many languages', '<link rel="mw:PageProp/Language" href="https://a.example/">'.repeat(20_000)],
    ['many styles', Array.from({ length: 20_000 }, (_, n) => `<style>a{order:${n}}</style>`).join('')],
    ['deep nesting', '<i>'.repeat(400) + 'x'],
    ['a long paragraph', `<p>${'a b '.repeat(500_000)}</p>`],
  ])('with %s have a small outline', (_name, body) => {
    const { html: _html, ...outline } = outlineOfHtml(body)
    expect(encodeOutline(outline).length).toBeLessThan(150_000)
  })
})

test.each([
  ['no JSON', 'x'],
  ['no object', 'null'],
  ['no parts', '{}'],
  ['a body elsewhere', '{"body":[1,5],"headings":[],"categories":[],"languages":[],"styles":[],"lead":""}'],
  [
    'a body that ends early',
    '{"body":[6,7],"headings":[],"categories":[],"languages":[],"styles":[],"lead":""}',
  ],
])('verify reports an outline with %s', (_name, json) => {
  expect(outlineFault(Buffer.from(json), Buffer.from('<body>ab</body>'))).toMatch(/outline/)
})
