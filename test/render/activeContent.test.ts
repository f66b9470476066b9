/** Nothing that runs, loads or sends gets from wikitext into HTML. */
import { describe, expect, test } from 'vitest'
import { renderForeign } from '../../src/render/tags/simpleTags.js'
import { loads } from '../../src/render/html/styles.js'
import { activeContent, loadedAddresses } from './support/activeContent.js'
import { ROSE_PICTURE, TestWiki } from './support/engine.js'
import { describeShared, readRows } from '../support/shared.js'

const SCRIPT = '<script>alert(1)</script>'
const IMAGE = '<img src=x onerror=alert(1)>'

const wiki = new TestWiki(
  {
    'Template:Hand on': '{{{1}}}',
    'Template:In attribute': '<div title="{{{1}}}" style="{{{2|}}}">x</div>',
    'Template:In link': '[{{{1}}} x] [[{{{1}}}|x]]',
    'Template:Tag': '{{#tag:{{{1}}}|{{{2|}}}|{{{3|a}}}={{{4|}}}}}',
    'Template:Bad.css': {
      text: `.a{background:url(javascript:alert(1))} @import "//evil.example/x"; .b{c:"</style>${SCRIPT}"}
        .c{width:expres/**/sion(alert(1));beha\\76ior:url(x)} </style>${SCRIPT}<style>`,
      model: 'sanitized-css',
    },
  },
  {},
  { 'Rose.jpg': ROSE_PICTURE },
)

describe('the inspection', () => {
  test.each([
    ['scripts', SCRIPT],
    ['handlers', '<b onclick="alert(1)">x</b>'],
    ['handlers in other languages', '<math><mi onclick="a()">x</mi></math>'],
    ['drawings', '<svg><script>alert(1)</script></svg>'],
    ['URLs that run', '<a href="java\tscript:alert(1)">x</a>'],
    ['URLs with a document', '<img src="data:image/svg+xml,x">'],
    ['links of formulas', '<math><mi xlink:href="javascript:alert(1)">x</mi></math>'],
    ['styles that load', '<p style="background:u\\72l(//evil.example)">x</p>'],
    ['styles that run', '<p style="width:expres/**/sion(1)">x</p>'],
    ['style sheets', '<style>@import "x"</style>'],
    ['linked style sheets', '<link rel="stylesheet" href="x">'],
    ['frames', '<iframe src="x"></iframe>'],
    ['objects', '<object data="x"></object>'],
    ['forms', '<form action="x"></form>'],
    ['reloads', '<meta http-equiv="refresh" content="0;url=x">'],
    ['a second base', '<base href="a"><base href="b">'],
    ['captions', `<p data-mw='{"caption":"&lt;img src=x onerror=alert(1)>"}'>x</p>`],
  ])('finds %s', (_kind, html) => {
    expect(activeContent(html)).not.toEqual([])
  })

  test('finds nothing in a page without', async () => {
    const text = `== A ==\n* [[B]] [http://c.example d] <span style="color: red">e</span> <math>x^2</math>
      [[File:Rose.jpg|thumb|a ''b'']] <ref>f</ref> <syntaxhighlight lang="js">let a</syntaxhighlight>`
    expect(activeContent(await wiki.html(text))).toEqual([])
  })
})

describe('nothing active survives', () => {
  test.each([
    ['from tags', `${SCRIPT} ${IMAGE} <svg onload=alert(1)><script>a</script></svg> <iframe src=x></iframe>`],
    ['from unclosed tags', `<script <img src=x onerror=alert(1)// <b onclick=alert(1)// x`],
    ['from tags in tags', `<scr<script>ipt>alert(1)</scr</script>ipt> <<b>script>alert(1)</b></script>`],
    [
      'from documents',
      '<base href=//evil.example><link rel=stylesheet href=x><meta http-equiv=refresh content=0>',
    ],
    [
      'from tags of raw text',
      `<noscript><p title="</noscript>${IMAGE}"></noscript> <xmp>${SCRIPT}</xmp> <title>${SCRIPT}`,
    ],
    [
      'from foreign languages',
      `<math><mtext><style><mglyph>${IMAGE}</style></mtext></math><svg><style>${IMAGE}</style></svg>`,
    ],
    [
      'from attributes',
      '<b onclick=alert(1) ONMOUSEOVER=alert(1) on\u0000load=1 style=a onx>x</b><b/onclick=a()>x</b>',
    ],
    ['from quotes in attributes', `<b title='">${SCRIPT}' id="'>${IMAGE}" class=\`onclick=alert(1)>x</b>`],
    [
      'from styles',
      '<p style="background:url(javascript:alert(1))">a</p><p style="width:ex\\70ression(alert(1))">b</p>',
    ],
    ['from styles with comments', '<p style="width:exp/**/ression(alert(1));-moz-binding:u/**/rl(x)">a</p>'],
    [
      'from wide letters in styles',
      '<p style="width:ｅｘｐｒｅｓｓｉｏｎ(alert(1));behavior:ｕｒｌ(x)">a</p>',
    ],
    [
      'from external links',
      '[javascript:alert(1) x] [data:text/html,x y] [JaVaScRiPt&#58;alert(1) z] [vbscript:a w]',
    ],
    [
      'from entities in links',
      '[java&#115;cript&colon;alert(1) x] [[java&Tab;script:alert(1)|y]] <a href="&#1;javascript:a">z</a>',
    ],
    [
      'from ends of links',
      '[http://a.example/"onmouseover="alert(1) x] [http://a.example/<script>alert(1)</script> y]',
    ],
    [
      'from wiki links',
      `[[javascript:alert(1)]] [[A|${IMAGE}]] [["onclick="alert(1)]] [[:File:"${IMAGE}.jpg]]`,
    ],
    ['from pictures', `[[File:Rose.jpg|link=javascript:alert(1)|alt=" onerror="alert(1)|thumb|${IMAGE}]]`],
    [
      'from links of pictures',
      '[[File:Rose.jpg|link=data:text/html,x]] [[File:Rose.jpg|frameless|upright=" onload="a]]',
    ],
    ['from captions that are not shown', `[[File:Rose.jpg|${IMAGE} ${SCRIPT}]]`],
    ['from missing files', `[[File:None"onerror="alert(1).jpg|thumb|${IMAGE}]]`],
    [
      'from tables',
      `{| onclick="a()" style="width:expression(1)"\n|+ onload=a | ${SCRIPT}\n! onclick=a | x\n| ${IMAGE}\n|}`,
    ],
    ['from headings', `== ${SCRIPT} "onclick=" ==\n== <span onclick=a id="'>${IMAGE}">x</span> ==`],
    [
      'from templates',
      `{{Hand on|${SCRIPT}}} {{Hand on|1=<b onclick=alert(1)>x</b>}} {{Hand on|<script}}{{Hand on|>a</script>}}`,
    ],
    ['from templates in attributes', '{{In attribute|" onclick="alert(1)|background:url(javascript:a)}}'],
    ['from templates in links', '{{In link|javascript:alert(1)}} {{In link|http://a.example/"onclick="a}}'],
    ['from parameters', `{{{a|${SCRIPT}}}} {{{${IMAGE}}}}`],
    [
      'from functions',
      `{{#if:1|${SCRIPT}}} {{lc:<SCRIPT>A</SCRIPT>}} {{padleft:|20|${IMAGE}}} {{#expr:${SCRIPT}}}`,
    ],
    [
      'from names of missing templates',
      `{{A"onclick="alert(1)}} {{<script>}} {{#invoke:${SCRIPT}|${IMAGE}}}`,
    ],
    [
      'from tags made by functions',
      '{{#tag:script|alert(1)}} {{#tag:img||src=x|onerror=alert(1)}} {{#tag:pre|x|onclick=a()}}',
    ],
    [
      'from tags made by templates',
      '{{Tag|script|alert(1)}} {{Tag|ref|<script>a</script>|onclick|a()}} {{Tag|pre|x|onload|a()}}',
    ],
    [
      'from the title to be shown',
      `{{DISPLAYTITLE:Rose</title>${SCRIPT}}}{{DISPLAYTITLE:<span onclick=a>Rose</span>}}`,
    ],
    ['from properties', `{{DEFAULTSORT:"><script>alert(1)</script>}} [[Category:A|"${IMAGE}]]`],
    [
      'from references',
      `<ref name='"${SCRIPT}' group="${IMAGE}">${SCRIPT}</ref><references group="${IMAGE}" onclick=a />`,
    ],
    [
      'from galleries',
      `<gallery caption="${IMAGE}" style="width:expression(1)" onclick=a>\nFile:Rose.jpg|${SCRIPT}|link=javascript:a|alt="onload=a\nFile:None.jpg|${IMAGE}\n</gallery>`,
    ],
    [
      'from widths of galleries',
      `<gallery widths='1"onclick="a' heights="${IMAGE}" perrow='1;background:url(x)' mode="${IMAGE}">\nFile:Rose.jpg\n</gallery>`,
    ],
    [
      'from poems',
      `<poem style="background:url(javascript:a)" onclick=a class='"><script>'>${SCRIPT}\n  ${IMAGE}</poem>`,
    ],
    [
      'from code',
      `<syntaxhighlight lang="js" onclick=a>${SCRIPT}</syntaxhighlight><source lang='"onclick="a'>${IMAGE}</source>`,
    ],
    [
      'from code in any language',
      ['xml', 'html', 'php', 'css', 'bash', 'python', 'markdown']
        .map(
          (lang) =>
            `<syntaxhighlight lang="${lang}" line start='1"onclick="a'>${SCRIPT}${IMAGE}"'\`</syntaxhighlight>`,
        )
        .join('\n'),
    ],
    [
      'from formulas',
      `<math>\\href{javascript:alert(1)}{x}</math> <math>\\text{${SCRIPT}${IMAGE}}</math> <math>${IMAGE}</math>`,
    ],
    [
      'from words of formulas',
      '<math>\\class{a" onclick="b}{x}</math> <math>\\id{a}{x}</math> <math>\\style{background:url(x)}{x}</math> <math>\\data{onclick=a}{x}</math>',
    ],
    [
      'from colours of formulas',
      '<math>\\color{red;background:url(x)}{x}</math> <math>\\colorbox{"onclick="a}{x}</math> <math>\\textcolor{javascript:a}{x}</math>',
    ],
    [
      'from pictures in formulas',
      '<math>\\includegraphics{javascript:alert(1)}</math> <math>\\url{javascript:a}</math> <ce>"><img src=x onerror=a></ce>',
    ],
    ['from style sheets', '<templatestyles src="Bad.css" wrapper=\'.a"onclick="\' onload=alert(1) />'],
    ['from names of style sheets', `<templatestyles src='"><script>alert(1)</script>' />`],
    [
      'from tags of other extensions',
      `<hiero onclick=a>${SCRIPT}</hiero><graph>${IMAGE}</graph><timeline>\n${SCRIPT}</timeline><indicator name='"><script>'>${IMAGE}</indicator>`,
    ],
    [
      'from parts of pages and languages of users',
      `{{#babel:${SCRIPT}|de-2"onclick="a|${IMAGE}}} {{#lst:"${IMAGE}|a}} {{#lstx:Template:Bad.css|a|${SCRIPT}}} {{#lsth:Template:Bad.css|}} {{#categorytree:${IMAGE}|onclick=a}} {{#property:${SCRIPT}}}`,
    ],
    [
      'from image maps',
      `<imagemap>\nFile:Rose.jpg|thumb|alt=" onerror="a|${IMAGE}\nrect 0 0 1 1 [[A|"onclick="a]]\ncircle 0 0 1 [javascript:alert(1) x]\n</imagemap><imagemap>\nFile:Rose.jpg|20px\ndefault [[A|'${SCRIPT}]]\npoly 1 1 [http://a.example/'onclick='a '"${IMAGE}]\n</imagemap>`,
    ],
    [
      'from preformatted text',
      `<pre onclick=a class='"${IMAGE}'>${SCRIPT}</pre>\n ${IMAGE}\n<nowiki>${SCRIPT}</nowiki>`,
    ],
    ['from variants', `-{zh:${SCRIPT};en:${IMAGE}}- -{H|"onclick="a}-`],
    ['from comments', `<!-- --!> ${SCRIPT} --> <!--> ${IMAGE} -->`],
    ['from markers', '\u007f\'"`UNIQ-ref-1-QINU`"\'\u007f <span title="\u007f">x</span>'],
  ])('%s', async (_source, text) => {
    expect(activeContent(await wiki.html(text))).toEqual([])
    expect(activeContent(await wiki.html(text, { origins: 'inline' }))).toEqual([])
  })

  test.each([
    ['json', JSON.stringify({ [SCRIPT]: [IMAGE, `"onclick="a`] })],
    ['json', `{${SCRIPT}`],
    ['javascript', `${SCRIPT}</pre>${IMAGE}`],
    ['sanitized-css', `</style>${SCRIPT}`],
    ['Scribunto', IMAGE],
    ['"><script>', SCRIPT],
  ])('from pages that are %s', async (contentModel, text) => {
    expect(activeContent(await wiki.html(text, { contentModel }))).toEqual([])
  })

  test('from titles', async () => {
    const html = await wiki.html('[[/a]] [[#b]] {{PAGENAME}}', { title: `A"onclick="alert(1)'&${'x'}` })
    expect(activeContent(html)).toEqual([])
  })

  test('from the name of a tag', () => {
    const html = renderForeign({ name: '"onclick="a', attributes: new Map(), content: SCRIPT })
    expect(activeContent(html)).toEqual([])
  })
})

const EVIL = '//evil.example/x'
describe('nothing tells another server that a page is read', () => {
  const styles = [
    `background:url(${EVIL})`,
    `background:\\75\\72\\6c(${EVIL})`,
    `background:\\75 \\72 \\6c (${EVIL})`,
    `background:\\000075\\000072\\00006c(${EVIL})`,
    `background:\\75\trl(${EVIL})`,
    `background:u\\rl(${EVIL})`,
    `background:U\\52 L("${EVIL}")`,
    `background:&#92;75&#92;72&#92;6c(${EVIL})`,
    `background:&bsol;75&bsol;72&bsol;6c(${EVIL})`,
    `background:url/**/(${EVIL}) , u\\72l(${EVIL})`,
    `content:"/*";background:\\75\\72\\6c(${EVIL})/**/`,
    `content:'\\'';background:\\75\\72\\6c(${EVIL})`,
    `list-style:\\75rl(${EVIL})`,
    `cursor:u\\000072l(${EVIL}),auto`,
    `--x:\\75\\72\\6c(${EVIL});background:var(--x)`,
    `--x:"${EVIL}";background:image-set(var(--x) 1x)`,
    `background:image-set("${EVIL}" 1x)`,
    `background:-webkit-image-set("${EVIL}" 1x)`,
    `background:\\69mage-s\\65t("${EVIL}" 1x)`,
    `background:image("${EVIL}")`,
    `background:\\69\\6d\\61ge("${EVIL}")`,
    `background:src("${EVIL}")`,
    `background:\\73\\72\\63("${EVIL}")`,
    `background:cross-fade("${EVIL}",red)`,
    `background:-webkit-cross-fade(\\75\\72\\6c(${EVIL}),red,50%)`,
    'background:element(#a)',
    'background:-moz-element(#a)',
    `background:attr(title url)`,
    `background:a\\74tr(title,url)`,
    `background:attr(title type(<url>))`,
    `@im\\70ort "${EVIL}"`,
    `behavio\\72:\\75\\72\\6c(${EVIL})`,
    `-moz-\\62inding:\\75\\72\\6c(${EVIL})`,
    `width:\\65\\78\\70ression(alert(1))`,
  ]
  test.each(styles)('by a style attribute: %s', async (style) => {
    const quoted = style.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const html = await wiki.html(
      `<p style="${quoted}">x</p>\n{| style="${quoted}"\n| style="${quoted}" | x\n|}`,
      { bodyOnly: true },
    )
    expect(html.match(/insecure input|invalid control char/g)).toHaveLength(3)
    expect(html).not.toContain('evil.example')
  })

  test.each(styles)('by a style sheet: %s', async (style) => {
    const pages = {
      'Template:Evil.css': { text: `.a { ${style} } .b { color: red }`, model: 'sanitized-css' },
    }
    const html = await new TestWiki(pages).html('<templatestyles src="Evil.css" />', { bodyOnly: true })
    const [, sheet = ''] = /<style[^>]*>([^]*?)<\/style>/.exec(html) ?? []
    expect(loads(sheet)).toBe(false)
    expect(sheet).not.toContain('evil.example')
  })

  test.each([
    'color:red',
    'background:linear-gradient(red, blue)',
    'background-image:radial-gradient(circle, red, blue)',
    'width:calc(100% - 2em)',
    'font-family:"A B", sans-serif',
    'content:"\\201C"',
  ])('and a style that loads nothing stays: %s', async (style) => {
    const html = await wiki.html(`<p style="${style.replaceAll('"', '&quot;')}">x</p>`, { bodyOnly: true })
    expect(html).not.toContain('insecure input')
    expect(html).toContain(style.slice(0, 8))
  })

  test.each([
    `<img src="${EVIL}" srcset="${EVIL} 2x">`,
    `<table background="${EVIL}"><tr background="${EVIL}"><td background="${EVIL}">x</td></tr></table>`,
    `{| background="${EVIL}"\n|+ background="${EVIL}" | c\n|- background="${EVIL}"\n! background="${EVIL}" | x\n| background="${EVIL}" | y\n|}`,
    `<body background="${EVIL}">x</body>`,
    `<video src="${EVIL}" poster="${EVIL}"><source src="${EVIL}"><track src="${EVIL}"></video>`,
    `<audio src="${EVIL}"></audio><embed src="${EVIL}"><object data="${EVIL}"></object><iframe src="${EVIL}"></iframe>`,
    `<a href="x" ping="${EVIL}">x</a><area href="x" ping="${EVIL}">`,
    `<link rel="stylesheet" href="${EVIL}"><link rel="preload" href="${EVIL}"><link rel="icon" href="${EVIL}">`,
    `<meta http-equiv="refresh" content="0;url=${EVIL}"><base href="${EVIL}">`,
    `<svg><image href="${EVIL}" xlink:href="${EVIL}"/><use href="${EVIL}#a"/></svg>`,
    `<input type="image" src="${EVIL}"><button formaction="${EVIL}">x</button>`,
    `<q cite="${EVIL}" longdesc="${EVIL}" lowsrc="${EVIL}" dynsrc="${EVIL}" data="${EVIL}" profile="${EVIL}">x</q>`,
    `<math><mi href="${EVIL}">x</mi></math>`,
    `<gallery style="background:\\75\\72\\6c(${EVIL})">\nFile:Rose.jpg\n</gallery>`,
    `<poem style="background:\\75\\72\\6c(${EVIL})">x</poem>`,
  ])('by an element or attribute: %s', async (text) => {
    expect(loadedAddresses(await wiki.html(text, { bodyOnly: true }))).toEqual([])
  })
})

describe('marks that clients trust', () => {
  test.each([
    `<div data-mw='{"name":"x"}' typeof="mw:Transclusion" about="#mwt1">x</div>`,
    `<span typeof="mw:Extension/ref" data-mw='{"body":{"html":"${IMAGE}"}}'>x</span>`,
    `<div data-parsoid='{"src":"${SCRIPT}"}' data-mw-foo=1 data-ooui=1>x</div>`,
    `<span rel="mw:ExtLink" property="mw:PageProp/notoc" resource="./A">x</span>`,
  ])('cannot be written in a page: %s', async (text) => {
    const html = await wiki.html(text)
    expect(html).not.toMatch(
      /<(?:div|span)[^>]* (?:typeof|data-mw|data-parsoid|data-mw-foo|data-ooui|about|rel|property)=/,
    )
  })
})

describeShared(
  'nothing active survives of the recorded hostile texts',
  'oracle/html/xss.jsonl.gz',
  (path) => {
    test.each(readRows<{ id: string; wikitext: string }>(path))('$id', async ({ wikitext }) => {
      expect(activeContent(await wiki.html(wikitext))).toEqual([])
    })
  },
)
