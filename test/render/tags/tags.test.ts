/** The look of each extension tag for readers, and its conversion back to the same wikitext. */
import { describe, expect, test } from 'vitest'
import { EXTENSION_TAGS } from '../../../src/domain/extensionTags.js'
import { FIRST_HIEROGLYPH, HIEROGLYPHS } from '../../../src/render/tags/hiero.js'
import { activeContent } from '../support/activeContent.js'
import { ROSE_PICTURE, TestWiki } from '../support/engine.js'

const SOUND = {
  ...ROSE_PICTURE,
  width: 0,
  height: 0,
  mime: 'audio/ogg',
  mediaType: 'AUDIO',
  url: 'https://garden.example/images/A.ogg',
}
const wiki = new TestWiki(
  {
    Tulip: 't',
    'Category:Plants': 'x',
    'Template:Star': '<indicator name="star">[[Tulip]]</indicator>',
    'Template:Self':
      '<indicator name="a">{{Self}}</indicator><imagemap>\nFile:Rose.jpg|thumb|{{Self}}\n</imagemap>',
  },
  {},
  { 'Rose.jpg': ROSE_PICTURE, 'A.ogg': SOUND },
)

/** The HTML of a tag, without the marks of every tag. */
async function shown(wikitext: string): Promise<string> {
  const html = await wiki.body(wikitext)
  return html
    .replace(/^<section data-mw-section-id="0">|<\/section>$/g, '')
    .replace(/ typeof="(?:mw:Error )?mw:Extension\/[^"]*"| about="#mwt\d+"| data-mw='\{"name"[^']*'/g, '')
}

const MAP_FILE = 'File:Rose.jpg|200px'
const PICTURE =
  '<img resource="./File:Rose.jpg" src="//garden.example/images/thumb/200px-Rose.jpg" data-file-width="800" data-file-height="600" data-file-type="bitmap" height="150" width="200" srcset="//garden.example/images/thumb/400px-Rose.jpg 2x, //garden.example/images/thumb/300px-Rose.jpg 1.5x"'
const DESC = '<a class="mw-ext-imagemap-desc" href="./File:Rose.jpg" title="About this image">ⓘ</a>'

/** The parts of a map that depend on its lines. */
async function areas(...lines: string[]): Promise<string[]> {
  const html = await shown(`<imagemap>\n${MAP_FILE}\n${lines.join('\n')}\n</imagemap>`)
  return Array.from(html.matchAll(/<area [^>]*\/>/g), ([area]) => area)
}

describe('<imagemap>', () => {
  test('is a picture with areas, in the size in which it is shown', async () => {
    const html = await shown(
      `<imagemap>\n# a comment\n\n${MAP_FILE}|thumb|A [[Tulip]]\nrect 0 0 400 400 [[Tulip|the tulip]]\n</imagemap>`,
    )
    const name = /usemap="#(ImageMap_[0-9a-f]{16})"/.exec(html)?.[1]
    expect(html).toBe(
      '<div class="mw-ext-imagemap mw-ext-imagemap-desc-bottom-right"><figure typeof="mw:Image/Thumb">' +
        `<span>${PICTURE} usemap="#${name}"/></span><map name="${name}" id="${name}">` +
        '<area rel="mw:WikiLink" href="./Tulip" shape="rect" coords="0,0,100,100" alt="the tulip" title="the tulip"/></map>' +
        `${DESC}<figcaption>A <a rel="mw:WikiLink" href="./Tulip" title="Tulip">Tulip</a></figcaption></figure></div>`,
    )
  })

  test.each([
    [
      'rect 0 0 400 400 [[Tulip]]',
      '<area rel="mw:WikiLink" href="./Tulip" shape="rect" coords="0,0,100,100" alt="Tulip" title="Tulip"/>',
    ],
    [
      'circle 400 300 101 [[Weed#Top|a &amp; b]]',
      '<area rel="mw:WikiLink" href="./Weed#Top" shape="circle" coords="100,75,25" alt="a &amp; b" title="a &amp; b" class="new"/>',
    ],
    [
      'poly 0 0 40 0 40.4 40 [http://x.example/?a=1&b=2 out]',
      '<area rel="mw:ExtLink" href="http://x.example/?a=1&amp;b=2" shape="poly" coords="0,0,10,0,10,10" alt="out" title="out"/>',
    ],
    [
      'rect 1 2 3 4 [[w:Paris]]',
      '<area rel="mw:WikiLink/Interwiki" href="https://en.wikipedia.org/wiki/Paris" shape="rect" coords="0,1,1,1" alt="w:Paris" title="w:Paris"/>',
    ],
    [
      'rect 0 0 4 4 [[File:Rose.jpg]]',
      '<area rel="mw:WikiLink" href="./File:Rose.jpg" shape="rect" coords="0,0,1,1" alt="File:Rose.jpg" title="File:Rose.jpg" class="new"/>',
    ],
    [
      'rect 0 0 4 4 [[Category:Plants|]]',
      '<area rel="mw:WikiLink" href="./Category:Plants" shape="rect" coords="0,0,1,1" alt=""/>',
    ],
    [
      'rect 0 0 4 4 [[#Here]]',
      '<area rel="mw:WikiLink" href="./Rose#Here" shape="rect" coords="0,0,1,1" alt="#Here" title="#Here"/>',
    ],
  ])('has areas: %s', async (line, area) => {
    expect(await areas(line)).toEqual([area])
  })

  test('has areas in the order of their lines', async () => {
    const found = await areas('rect 0 0 4 4 [[A]]', 'rect 0 0 4 4 [http://b.example B]', 'circle 0 0 4 [[C]]')
    expect(found.map((area) => /title="(.)/.exec(area)?.[1])).toEqual(['A', 'B', 'C'])
  })

  test('leads to its default elsewhere', async () => {
    const html = await shown(`<imagemap>\n${MAP_FILE}\ndefault [[Weed|all]]\ndesc none\n</imagemap>`)
    expect(html).toBe(
      '<p><span class="mw-ext-imagemap mw-ext-imagemap-desc-none"><figure-inline typeof="mw:Image">' +
        `<a rel="mw:WikiLink" href="./Weed" title="all" class="new">${PICTURE}/></a></figure-inline></span></p>`,
    )
  })

  test.each(['top-left', 'top-right', 'bottom-left', 'bottom-right'])(
    'says where its file is described: %s',
    async (place) => {
      const html = await shown(`<imagemap>\n${MAP_FILE}\ndesc ${place}\n</imagemap>`)
      expect(html).toContain(`mw-ext-imagemap-desc-${place}`)
      expect(html).toContain(DESC)
    },
  )

  test.each([
    ['no picture', '\n', 'Error: must specify an image in the first line'],
    ['no file', '[[Tulip]]', 'Error: must specify an image in the first line'],
    ['a missing file', 'File:None.jpg', 'Error: image is invalid or non-existent'],
    ['two pictures', 'File:Rose.jpg]] [[File:Rose.jpg', 'Error: must specify an image in the first line'],
    [
      'nothing but a picture',
      `${MAP_FILE}\ndesc none`,
      'Error: at least one area specification must be given',
    ],
    ['no link', `${MAP_FILE}\nrect 0 0 1 1 Tulip`, 'Error: no valid link was found at the end of line 3'],
    [
      'half a link',
      `${MAP_FILE}\nrect 0 0 1 1 [[Tulip]`,
      'Error: no valid link was found at the end of line 3',
    ],
    [
      'a link in braces',
      `${MAP_FILE}\nrect 0 0 1 1 [[{{A}}]]`,
      'Error: no valid link was found at the end of line 3',
    ],
    ['no title', `${MAP_FILE}\nrect 0 0 1 1 [[~~~]]`, 'Error: invalid title in link at line 3'],
    [
      'another protocol',
      `${MAP_FILE}\nrect 0 0 1 1 [javascript:alert(1) x]`,
      'Error: invalid title in link at line 3',
    ],
    ['few numbers', `${MAP_FILE}\n\nrect 0 0 1 [[A]]`, 'Error: not enough coordinates for shape at line 4'],
    ['no numbers', `${MAP_FILE}\npoly [[A]]`, 'Error: not enough coordinates for shape at line 3'],
    [
      'odd numbers',
      `${MAP_FILE}\npoly 1 2 3 [[A]]`,
      'Error: found poly with odd number of coordinates on line 3',
    ],
    ['words', `${MAP_FILE}\nrect 0 0 a 1 [[A]]`, 'Error: invalid coordinate at line 3, must be a number'],
    [
      'another shape',
      `${MAP_FILE}\nconstructor 0 0 1 1 [[A]]`,
      'Error: unrecognized shape at line 3, each line must start with one of: default, rect, circle, poly',
    ],
    [
      'another place',
      `${MAP_FILE}\ndesc middle`,
      'Error: invalid desc specification, must be one of: top-right, bottom-right, bottom-left, top-left, none',
    ],
    ['very many lines', `${MAP_FILE}\n${'rect 0 0 1 1 [[A]]\n'.repeat(2001)}`, 'Error: the map is too long'],
  ])('says what is wrong: %s', async (_fault, content, message) => {
    expect(await shown(`<imagemap>\n${content}\n</imagemap>`)).toBe(
      `<p><strong class="error">${message}</strong></p>`,
    )
  })

  test('counts the pages of its areas as used', async () => {
    const asking = new TestWiki({}, {}, { 'Rose.jpg': ROSE_PICTURE })
    await asking.body(`<imagemap>\n${MAP_FILE}\nrect 0 0 1 1 [[Weed]]\ndefault [[Moss|all]]\n</imagemap>`)
    expect([...asking.asked]).toEqual(expect.arrayContaining(['Weed', 'Moss']))
  })
})

describe('<indicator>', () => {
  const descriptionOf = async (text: string): Promise<Record<string, unknown>> => {
    const html = await wiki.body(text)
    const json = /<meta [^>]*data-mw='([^']*)'/.exec(html)?.[1] ?? '{}'
    const plain = json
      .replace(/&apos;/g, "'")
      .replace(/&lt;/g, '<')
      .replace(/&amp;/g, '&')
    return JSON.parse(plain) as Record<string, unknown>
  }

  test('has its HTML in its description, and shows nothing in the text', async () => {
    expect(await descriptionOf("<indicator name=x>[[Tulip]] [[Weed]] ''b''</indicator>")).toEqual({
      name: 'indicator',
      attrs: { name: 'x' },
      body: { extsrc: "[[Tulip]] [[Weed]] ''b''" },
      html: '<p><a rel="mw:WikiLink" href="./Tulip" title="Tulip">Tulip</a> <a rel="mw:WikiLink" href="./Weed" title="Weed" class="new">Weed</a> <i>b</i></p>',
    })
  })

  test('may come from a template', async () => {
    expect(await descriptionOf('a {{Star}}')).toMatchObject({
      parts: [{ template: { target: { wt: 'Star' } } }],
      html: expect.stringContaining('href="./Tulip"') as string,
    })
  })

  test('needs a name', async () => {
    expect(await shown('<indicator>x</indicator>')).toBe(
      '<p><strong class="error">The indicator tag must have a "name" attribute.</strong></p>',
    )
  })

  test('that holds the page itself ends', async () => {
    expect(await wiki.body('{{Self}}')).toContain('<meta')
  })
})

const STAND_IN = (kind: string, title: string, rest: string): string =>
  `<div class="mw-stand-in mw-stand-in-${kind}"><div class="mw-stand-in-title">${title}</div>${rest}</div>`
const TULIP = '<a rel="mw:WikiLink" href="./Tulip" title="Tulip">Tulip</a>'
const MAP = (latitude: number, longitude: number, zoom: number, words: string): string =>
  `<a rel="mw:ExtLink nofollow" class="external text" href="https://www.openstreetmap.org/?mlat=${latitude}&amp;mlon=${longitude}#map=${zoom}/${latitude}/${longitude}"><span class="geo-dms">${words}</span></a>`
const SOUND_LINK =
  '<a rel="mw:MediaLink" href="//garden.example/images/A.ogg" resource="./Media:A.ogg" title="A.ogg">'

describe('what stands in the place of', () => {
  test.each([
    [
      'a category tree',
      '<categorytree mode=pages style="float:left">Plants</categorytree>',
      '<div class="CategoryTreeTag"><div class="CategoryTreeItem"><a rel="mw:WikiLink" href="./Category:Plants" title="Category:Plants">Plants</a></div></div>',
    ],
    [
      'a category tree of no category yet',
      '<categorytree>category:weeds and_moss</categorytree>',
      '<div class="CategoryTreeTag"><div class="CategoryTreeItem"><a rel="mw:WikiLink" href="./Category:Weeds_and_moss" title="Category:Weeds and moss" class="new">Weeds and moss</a></div></div>',
    ],
    [
      'a category tree whose name looks like markup',
      "<categorytree>A ''b''</categorytree>",
      `<div class="CategoryTreeTag"><div class="CategoryTreeItem"><a rel="mw:WikiLink" href="./Category:A_''b''" title="Category:A ''b''" class="new">A ''b''</a></div></div>`,
    ],
    ['a category tree without a category', 'a<categorytree>[[x]]</categorytree>b', '<p>a<link/>b</p>'],
    [
      'a map',
      '<mapframe latitude=52.5 longitude=-13.41 text="A [[Tulip]]">{"type":"Feature","properties":{"title":"[[Weed|Here]]"}}</mapframe>',
      STAND_IN(
        'map',
        'Map',
        `<div class="mw-stand-in-caption">A ${TULIP}</div><div>${MAP(52.5, -13.41, 13, '52°30′0″N 13°24′36″W')}</div><ul><li>Here</li></ul>`,
      ),
    ],
    ['a map of nowhere', '<mapframe latitude=91 longitude=x>{</mapframe>', STAND_IN('map', 'Map', '')],
    [
      'a link to a map',
      '<maplink latitude="37.8103" longitude="-122.3995">{"a":1}</maplink>',
      `<p><span class="mw-kartographer-maplink">${MAP(37.8103, -122.3995, 13, '37°48′37″N 122°23′58″W')}</span></p>`,
    ],
    [
      'a link to a map with a text',
      "<maplink latitude=1 longitude=2 zoom=99 text=\"the ''place''\" />",
      `<p><span class="mw-kartographer-maplink">the <i>place</i> (${MAP(1, 2, 19, '1°0′0″N 2°0′0″E')})</span></p>`,
    ],
    [
      'a graph',
      '<graph>{"title":"Sales","axes":[{"title":"Year"},{"title":"Year"}],"marks":[{"text":{"value":"Low"},"fill":"red"}]}</graph>',
      STAND_IN('graph', 'Graph', '<ul><li>Sales</li><li>Year</li><li>Low</li></ul>'),
    ],
    ['a graph that is none', '<graph>{"title":</graph>', STAND_IN('graph', 'Graph', '')],
    [
      'a timeline',
      '<timeline>\nImageSize = width:650\n# bar:z text:"a comment"\nBarData=\n bar:a text:"Bar [[Tulip|A]]"\nPlotData=\n color:d width:20\n bar:a from:1 till: 159\n at: 5 text: "x~y"\n bar:b from:1 till:end text:[[Weed and moss|Weed]]\nTextData=\n pos:(1,2) text:"Years"\n</timeline>',
      STAND_IN(
        'timeline',
        'Timeline',
        '<ul><li>Bar A: 1 – 159</li><li>5, x y</li><li>b: 1 – end, Weed</li><li>Years</li></ul>',
      ),
    ],
    [
      'a score',
      '<score>\\header{ title = "Song" } \\relative c\' { \\key g \\major c d e8 fis | g } \\addlyrics { Hap -- py birth -- day }</score>',
      STAND_IN(
        'score',
        'Musical score',
        '<ul><li>Song</li><li>Happy birthday</li><li>Notes: c d e fis g</li></ul>',
      ),
    ],
    [
      'a score in ABC, with its sound',
      '<score lang="ABC" audio="A.ogg">X:1\nT:Air\nK:G\nGABc dedB|\nw: one two - three</score>',
      STAND_IN(
        'score',
        'Musical score',
        `<div class="mw-stand-in-caption">${SOUND_LINK}A.ogg</a></div><ul><li>Air</li><li>one twothree</li><li>Notes: G A B c d e d B</li></ul>`,
      ),
    ],
    [
      'hieroglyphs',
      '<hiero>A1-B1:n D36*q <-ra-mn-> ! M17A xyz Z1</hiero>',
      '<p><span class="mw-hiero" lang="egy" dir="ltr" title="A1-B1:n D36*q &lt;-ra-mn-> ! M17A xyz Z1">𓀀𓁐𓈖𓂝𓈎𓇳𓏠<br/>𓇌 xyz 𓏤</span></p>',
    ],
    ['no hieroglyphs', 'a<hiero> </hiero>', '<p>a<link/></p>'],
    [
      'a pronunciation',
      '<phonos file="A.ogg" ipa="hɛ">hello</phonos>',
      `<p><span class="ext-phonos">${SOUND_LINK}hello</a></span></p>`,
    ],
    ['a pronunciation without a file', '<phonos ipa="hɛ" />', '<p><span class="ext-phonos">hɛ</span></p>'],
    [
      'a form to create a page',
      "<inputbox>\ntype=create\nwidth=40\nbuttonlabel=Make ''it''\nlabeltext=New [[Tulip]]\n</inputbox>",
      `<div class="mw-inputbox-element">New ${TULIP} <span class="mw-inputbox-button">Make ''it''</span></div>`,
    ],
    [
      'a form to search',
      '<inputbox>\n type = search\n searchbuttonlabel = Find\n</inputbox>',
      '<div class="mw-inputbox-element"><a rel="mw:WikiLink" href="./Special:Search" title="Special:Search">Find</a></div>',
    ],
    [
      'signs to insert',
      '<charinsert>á &eacute; <nowiki><br /> x</nowiki>\n[[+]]</charinsert>',
      '<p><span class="mw-charinsert"><span class="mw-charinsert-item">á</span> <span class="mw-charinsert-item">é</span> <span class="mw-charinsert-item">&lt;br /> x</span><br/><span class="mw-charinsert-item">[[+]]</span></span></p>',
    ],
    ['the marks of a section', 'a<section begin=x />b', '<p>a<link/>b</p>'],
    [
      'data of a template',
      '<templatedata>{"params":{}}</templatedata>',
      '<div class="mw-templatedata-doc-wrap"></div>',
    ],
  ])('%s', async (_what, wikitext, html) => {
    expect(await shown(wikitext)).toBe(html)
  })
})

test('the table of hieroglyphs has a code for each character of the block', () => {
  let count = 0
  for (const part of HIEROGLYPHS.flatMap((row) => row.split(': ')[1]!.split(' '))) {
    const [first = '', last = first] = part.split('-')
    const [from, to] = /\d$/.test(first)
      ? [Number(first), Number(last)]
      : [first.at(-1)!.charCodeAt(0), last.at(-1)!.charCodeAt(0)]
    count += to - from + 1
  }
  expect(FIRST_HIEROGLYPH + count - 1).toBe(0x1342e)
})

const SCRIPT = '<script>alert(1)</script>'
const IMAGE = '<img src=x onerror=alert(1)>'
const HOSTILE_CONTENT = [
  `${SCRIPT}${IMAGE}</b></div>"'><svg onload=a>`,
  `File:Rose.jpg|${IMAGE}|alt=" onerror="a|link=javascript:a\nrect 0 0 1 1 [[A|" onclick="a]]\nrect 0 0 1 1 [http://a.example/"onclick="a x]\ndesc none`,
  `{"title":"${IMAGE}","text":{"value":"</li>${SCRIPT.replaceAll('/', '\\/')}"},"__proto__":{"title":"<svg onload=a>"},"constructor":{"label":"a"}}`,
  `BarData=\n bar:__proto__ text:"${IMAGE}"\nPlotData=\n bar:__proto__ from:<svg till:onload=a text:"[[javascript:alert(1)|${SCRIPT}]]"`,
  `type=search\nsearchbuttonlabel=${IMAGE}\nlabeltext=${SCRIPT}[javascript:alert(1) x]\nbuttonlabel="onclick="a\n__proto__=x`,
  `\\header { title = "${SCRIPT}" } \\addlyrics { ${IMAGE} -- x } T:${IMAGE}\nw: ${SCRIPT}`,
  `<nowiki>${IMAGE}</nowiki> &lt;script&gt;alert(1)&lt;/script&gt; [[javascript:a]] {{{{{{ }}`,
  'A1-<script>-!-<b onclick=a>-__proto__-constructor',
]
const HOSTILE_ATTRIBUTES = [
  '',
  ` name='"><script>alert(1)</script>' text="${IMAGE.replaceAll('"', '')}" file='"onclick="a.ogg' ipa='${SCRIPT}' latitude='1"onclick="a' longitude=2`,
  ` name=x text='[javascript:alert(1) x] {{Self}}' file="javascript:alert(1)" audio='"><svg onload=a>' latitude=1 longitude=2 onclick=a() style="background:url(x)" class='"><b onclick=a>' lang=abc`,
]

describe.each([...EXTENSION_TAGS])('<%s>', (tag) => {
  test('lets nothing active through', async () => {
    for (const attributes of HOSTILE_ATTRIBUTES) {
      const tags = HOSTILE_CONTENT.map((content) => `a <${tag}${attributes}>${content}</${tag}> b`)
      expect(activeContent(await wiki.html(tags.join('\n\n'))), attributes).toEqual([])
    }
  })

  test('comes back as it was', async () => {
    for (const attributes of ['', ' name="a b" latitude=1 longitude = 2', " file='A.ogg' lang=abc"]) {
      for (const content of ['', "x ''y''\n[[Tulip]]", 'File:Rose.jpg|thumb|c\nrect 0 0 1 1 [[Tulip]]'])
        await expectSame(`one\n<${tag}${attributes}>${content}</${tag}> two\n\nthree`)
      await expectSame(`a <${tag}${attributes} /> b\n* c <${tag}${attributes}/> d`)
    }
  })
})

async function expectSame(text: string): Promise<void> {
  const { html, bundle } = await wiki.render(text)
  expect(await wiki.wikitext(html, { wikitext: text, html, bundle: bundle! })).toBe(text)
  const changed = html.replace('</section></body>', '<p>more</p></section></body>')
  const saved = await wiki.wikitext(changed, { wikitext: text, html, bundle: bundle! })
  expect(saved.startsWith(text), saved).toBe(true)
}

/** None may take more than its share of the time of a page, nor become far larger than it was. */
describe('a huge tag', () => {
  const HUGE = 100_000
  test.each([
    ['imagemap', `${MAP_FILE}\n${'rect 0 0 1 1 [[A]]\n'.repeat(HUGE / 20)}`],
    ['timeline', `BarData=\n${' bar:a text:"b"\n'.repeat(HUGE / 16)}`],
    ['timeline', `PlotData=\n${Array.from({ length: HUGE / 16 }, (_, n) => ` at:${n} text:"b"`).join('\n')}`],
    ['timeline', `PlotData=${'a:"'.repeat(HUGE / 3)}`],
    ['graph', `[${'{"title":"a","b":['.repeat(2000)}`],
    ['graph', JSON.stringify(Array.from({ length: 5000 }, (_, n) => ({ title: `t${n}` })))],
    ['graph', '['.repeat(HUGE)],
    ['mapframe', `${'['.repeat(HUGE / 2)}${']'.repeat(HUGE / 2)}`],
    ['score', '\\addlyrics { a -- '.repeat(HUGE / 20)],
    ['score', 'c '.repeat(HUGE / 2)],
    ['score', ' '.repeat(HUGE)],
    ['hiero', 'A1-'.repeat(HUGE / 3)],
    ['hiero', '-'.repeat(HUGE)],
    ['charinsert', 'a '.repeat(HUGE / 2)],
    ['charinsert', '<nowiki> '.repeat(HUGE / 9)],
    ['inputbox', 'labeltext=\n'.repeat(HUGE / 11)],
    ['inputbox', `labeltext=${'[['.repeat(HUGE / 2)}`],
    ['categorytree', 'a'.repeat(HUGE)],
    ['phonos', "''".repeat(HUGE / 2)],
  ])('<%s> is bounded', async (tag, content) => {
    const before = process.cpuUsage()
    const html = await shown(`<${tag}>${content}</${tag}>`)
    expect(html.length).toBeLessThan(2 * HUGE + 20_000)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(8000)
  })
})
