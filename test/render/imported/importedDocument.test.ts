/** HTML from other servers: nothing active survives, and it fits this wiki. */
// @module-tag slow
import { describe, expect, test } from 'vitest'
import { Namespaces } from '../../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../../src/domain/site.js'
import { prefixedText } from '../../../src/domain/title.js'
import { importedDocument, isSameBody } from '../../../src/render/imported/importedDocument.js'
import { isMarked } from '../../../src/render/imported/fit.js'
import type { RenderedFile } from '../../../src/render/html/sources.js'
import { documentOf } from '../../support/snapshots.js'
import { activeContent, loadedAddresses } from '../support/activeContent.js'
import { parsoid, ROSE_PICTURE } from '../support/engine.js'

const namespaces = new Namespaces(DEFAULT_SITE)
const VIDEO: RenderedFile = {
  ...ROSE_PICTURE,
  mime: 'video/webm',
  url: 'https://garden.example/images/Bee.webm',
}
const FILES: Readonly<Record<string, RenderedFile>> = { 'Rose.jpg': ROSE_PICTURE, 'Bee.webm': VIDEO }

interface Fitted {
  readonly html: string
  /** Content of the first section. */
  readonly section: string
  /** Titles and files that were read or looked for. */
  readonly asked: ReadonlySet<string>
}

function fit(html: string, base = 'https://garden.example/wiki/Main_Page'): Fitted {
  const asked = new Set<string>()
  const source = {
    readPage: () => undefined,
    pageExists: (title: { namespace: number; dbkey: string }) => {
      asked.add(prefixedText(title, namespaces))
      return title.dbkey === 'Box'
    },
    readFile: (dbkey: string) => {
      asked.add(dbkey)
      return FILES[dbkey]
    },
  }
  const { html: fitted } = importedDocument(html, parsoid, { site: { base }, namespaces, source })
  const [, section = ''] = /<section [^>]*>([^]*)<\/section>/.exec(fitted) ?? []
  return { html: fitted, section, asked }
}

const fitBody = (body: string): Fitted => fit(documentOf('Rose', 1, body))

describe('HTML from another server', () => {
  test.each([
    [
      'templates',
      `<table class="infobox" about="#mwt1" typeof="mw:Transclusion" data-mw='{"parts":[{"template":{"target":{"wt":"Box","href":"./Template:Box"},"params":{"1":{"wt":"&lt;b>a&lt;/b>"}},"i":0}}]}' id="mwAg"><tbody><tr><td style="color:red">a</td></tr></tbody></table>`,
    ],
    [
      'external links',
      '<a rel="mw:ExtLink nofollow" href="https://a.example/?b=c&amp;d" class="external text" id="mwAw">x</a>',
    ],
    [
      'references',
      `<sup about="#mwt2" class="mw-ref reference" id="cite_ref-1" rel="dc:references" typeof="mw:Extension/ref" data-mw='{"name":"ref","attrs":{},"body":{"id":"mw-reference-text-cite_note-1"}}'><a href="./Rose#cite_note-1" style="counter-reset: mw-Ref 1;"><span class="mw-reflink-text">[1]</span></a></sup>`,
    ],
    [
      'languages and categories',
      '<link rel="mw:PageProp/Category" href="./Category:A" id="mwBA"/><link rel="mw:PageProp/Language" href="https://de.example/wiki/Rose"/>',
    ],
    [
      'formulas',
      '<math xmlns="http://www.w3.org/1998/Math/MathML" alttext="x"><mrow><mi>x</mi></mrow></math>',
    ],
    ['properties', '<meta property="mw:PageProp/notoc" id="mwAg"/>'],
    [
      'style sheets',
      `<style data-mw-deduplicate="TemplateStyles:r1">.mw-parser-output .a{color:red}</style><link rel="mw-deduplicated-inline-style" href="mw-data:TemplateStyles:r1"/>`,
    ],
    ['text', '<p id="mwAg">Ünïcode 𓅪 &lt;b> &amp;amp;</p><details open=""><summary>a</summary></details>'],
  ])('keeps %s as they came', (_kind, body) => {
    expect(fitBody(body).section).toBe(body)
  })

  test('keeps the facts in the head, and its version', () => {
    const { html } = fitBody('x')
    expect(html).toContain('<meta property="mw:htmlVersion" content="2.8.0"/><title>Rose</title>')
    expect(html).toContain('about="https://wiki.example/wiki/Special:Redirect/revision/1"')
    expect(html).toContain('<body id="mwAA" lang="en" class="mw-content-ltr mw-parser-output" dir="ltr">')
  })

  test('has the base address of this wiki, and no assets of the other', () => {
    const { html } = fitBody('x')
    expect(html.match(/<base [^>]*>/g)).toEqual(['<base href="//garden.example/wiki/"/>'])
    expect(html).not.toContain('load.php')
    expect(fit(documentOf('A', 1, ''), '').html).toContain('<base href="//wiki.invalid/wiki/"/>')
  })

  test('marks links to pages that are missing here, and those alone', () => {
    const { section, asked } = fitBody(
      '<a rel="mw:WikiLink" href="./Box" title="Box" class="new">a</a><a rel="mw:WikiLink" href="./Not?action=edit&amp;redlink=1" title="Not">b</a>',
    )
    expect(section).toBe(
      '<a rel="mw:WikiLink" href="./Box" title="Box">a</a><a rel="mw:WikiLink" href="./Not" title="Not" class="new">b</a>',
    )
    expect(asked).toEqual(new Set(['Box', 'Not']))
  })

  test('shows formulas, not their pictures on another server', () => {
    const { section } = fitBody(
      '<span class="mwe-math-element" typeof="mw:Extension/math"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;"><math xmlns="http://www.w3.org/1998/Math/MathML" alttext="x"><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x</annotation></semantics></math></span><img src="https://elsewhere.example/svg/1" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="x"/></span>',
    )
    expect(section).toBe(
      '<span class="mwe-math-element" typeof="mw:Extension/math"><span class="mwe-math-mathml-inline"><math xmlns="http://www.w3.org/1998/Math/MathML" alttext="x"><mrow><mi>x</mi></mrow></math></span></span>',
    )
  })
})

describe('files', () => {
  const figure = (file: string): string =>
    `<figure typeof="mw:File/Thumb"><a href="./File:${file}" class="mw-file-description"><img src="//upload.example/220px-${file}" decoding="async" srcset="//upload.example/440px-${file} 2x" resource="./File:${file}" width="220" height="165" data-file-width="800" class="mw-file-element"/></a><figcaption>c</figcaption></figure>`

  test('have the addresses of this server', () => {
    const { section, asked } = fitBody(figure('Rose.jpg'))
    expect(section).toContain('src="//garden.example/images/thumb/220px-Rose.jpg"')
    expect(section).not.toContain('upload.example')
    expect(section).toContain('typeof="mw:File/Thumb"')
    expect(asked).toContain('Rose.jpg')
  })

  test('without an address here are shown by their names', () => {
    expect(fitBody(figure('Weed.jpg')).section).toBe(
      '<figure typeof="mw:Error mw:File/Thumb"><a href="./File:Weed.jpg" class="mw-file-description"><span class="mw-file-element mw-broken-media" resource="./File:Weed.jpg" data-width="220" data-height="165">File:Weed.jpg</span></a><figcaption>c</figcaption></figure>',
    )
  })

  test('of sound and film have one source', () => {
    const film = (name: string): string =>
      `<span typeof="mw:File"><span><video poster="//upload.example/p.jpg" controls="" preload="none" resource="./File:${name}"><source src="//upload.example/a.webm" type="video/webm"/><track kind="subtitles" src="//upload.example/t"/></video></span></span>`
    expect(fitBody(film('Bee.webm')).section).toBe(
      '<span typeof="mw:File"><span><video controls="" preload="none" resource="./File:Bee.webm"><source src="//garden.example/images/Bee.webm" type="video/webm"/></video></span></span>',
    )
    expect(fitBody(film('Wasp.webm')).section).not.toContain('upload.example')
  })

  test('that links lead to are those of this server', () => {
    const link = (name: string): string =>
      `<a rel="mw:MediaLink" href="//upload.example/${name}" resource="./Media:${name}" title="${name}">m</a>`
    expect(fitBody(link('Rose.jpg')).section).toContain('href="//garden.example/images/Rose.jpg"')
    expect(fitBody(link('Weed.jpg')).section).not.toContain('href')
  })

  test('in descriptions are those of this server', () => {
    const caption = { caption: figure('Weed.jpg'), body: { html: figure('Rose.jpg') } }
    const { section } = fitBody(`<div data-mw='${JSON.stringify(caption)}'>x</div>`)
    expect(section).not.toContain('upload.example')
    expect(section).toContain('garden.example/images/thumb/220px-Rose.jpg')
  })
})

const SCRIPT = '<script>alert(1)</script>'
const IMAGE = '<img src=x onerror=alert(1)>'
const EVIL = '//evil.example/x'
const HOSTILE: [string, string][] = [
  ['scripts', SCRIPT],
  ['events', `<p onclick="alert(1)" ONLOAD=a>x</p>${IMAGE}<svg onload=alert(1)><script>a</script></svg>`],
  [
    'addresses that run',
    '<a href="javascript:alert(1)">a</a><a href=" java\tscript:alert(1)">b</a><a href="&#1;data:text/html,x">c</a><a href="vbscript:a">d</a>',
  ],
  [
    'foreign languages',
    `<math><mtext><style><mglyph>${IMAGE}</style></mtext></math><svg><style>${IMAGE}</style></svg>`,
  ],
  [
    'formulas with HTML',
    `<math><mtext><p>${IMAGE}</p><a href="javascript:a">x</a></mtext><annotation-xml encoding="text/html">${IMAGE}</annotation-xml><maction actiontype="statusline" xlink:href="javascript:a">x</maction></math>`,
  ],
  [
    'raw text',
    `<noscript><p title="</noscript>${IMAGE}"></noscript><xmp>${SCRIPT}</xmp><textarea>${SCRIPT}</textarea><title>${SCRIPT}</title><plaintext>${SCRIPT}`,
  ],
  [
    'templates and frames',
    `<template>${SCRIPT}</template><iframe src="${EVIL}" srcdoc="${SCRIPT}"></iframe><object data="${EVIL}"></object><embed src="${EVIL}"><frameset><frame src="${EVIL}"></frameset>`,
  ],
  [
    'forms',
    `<form action="${EVIL}"><input type=image src="${EVIL}"><button formaction="javascript:a">x</button><select><option>${SCRIPT}</select></form>`,
  ],
  [
    'documents in the document',
    `<base href="${EVIL}"><link rel="mw:x stylesheet" href="${EVIL}"><link rel=preload href="${EVIL}"><meta http-equiv=refresh content="0;url=${EVIL}"><meta http-equiv="Content-Security-Policy" content="x">`,
  ],
  ['links without a relation', `<link href="${EVIL}">`],
  [
    'styles that load',
    `<p style="background:u\\72l(${EVIL})">x</p><p style="width:expres/**/sion(alert(1))">x</p><p style="background:image-set('${EVIL}' 1x)">x</p>`,
  ],
  [
    'style sheets that load',
    `<style>@import "${EVIL}"; .mw-parser-output a{background:url(${EVIL})} b{color:red} .mw-parser-output i{behavior:url(x)}</style>`,
  ],
  ['style sheets that end early', `<style>.mw-parser-output a{content:"</style>${IMAGE}"}</style>`],
  [
    'pictures of other servers',
    `<img src="${EVIL}"><img src="${EVIL}" srcset="${EVIL} 2x" alt="a"><picture><source srcset="${EVIL}"><img src="${EVIL}"></picture><table background="${EVIL}"><tr><td background="${EVIL}">x</td></tr></table>`,
  ],
  [
    'sound and film of other servers',
    `<video src="${EVIL}" poster="${EVIL}"><source src="${EVIL}"><track src="${EVIL}"></video><audio src="${EVIL}"></audio><source src="${EVIL}">`,
  ],
  ['pings', `<a href="x" ping="${EVIL}">x</a><area href="x" ping="${EVIL}">`],
  [
    'captions',
    `<p data-mw='{"caption":"&lt;img src=x onerror=alert(1)>"}'>x</p><p data-mw='{"body":{"html":"${SCRIPT}&lt;b onclick=a>"}}'>x</p>`,
  ],
  [
    'captions in captions',
    `<p data-mw='${JSON.stringify({ caption: `<p data-mw='${JSON.stringify({ html: IMAGE }).replaceAll("'", '&#39;')}'>x</p>` }).replaceAll("'", '&#39;')}'>x</p>`,
  ],
  ['descriptions that are no JSON', `<p data-mw='{"caption":"${IMAGE}'>x</p>`],
  ['comments', `<!-- --!>${SCRIPT}--><!-->${IMAGE}-->`],
  [
    'tags in tags',
    `<scr<script>ipt>alert(1)</scr</script>ipt><b/onclick=a()>x</b><${'unknown'} onclick=a>${IMAGE}</unknown>`,
  ],
  ['nested links and forms', `<form><form>${IMAGE}</form><a href=a><a href="javascript:b">x</a></a>`],
  ['tables', `<table><tr><td><style>${IMAGE}</style><form><tr>${IMAGE}`],
]

describe('nothing active survives', () => {
  test.each(HOSTILE)('of %s', (_kind, body) => {
    const { html } = fitBody(body)
    expect(activeContent(html)).toEqual([])
    expect(loadedAddresses(html)).toEqual([])
    // What a browser makes of the result is the result again.
    expect(fit(html).html).toBe(html)
  })

  test.each(HOSTILE)('of %s in the head or around the body', (_kind, markup) => {
    for (const html of [
      documentOf('A', 1, 'x').replace('<title>', `${markup}<title>`),
      documentOf('A', 1, 'x').replace('</body>', `</body>${markup}`),
      markup,
    ]) {
      const fitted = fit(html).html
      expect(activeContent(fitted)).toEqual([])
      expect(loadedAddresses(fitted)).toEqual([])
    }
  })

  test('of attributes of the body', () => {
    const { html } = fit(documentOf('A', 1, 'x').replace('<body', `<body onload="a" background="${EVIL}"`))
    expect(activeContent(html)).toEqual([])
    expect(loadedAddresses(html)).toEqual([])
  })

  test('of attributes of the document', () => {
    const document = documentOf('A', 1, 'x').replace('<html', `<html onclick="a" manifest="${EVIL}"`)
    const { html } = fit(document.replace('<head', `<!-- ${IMAGE} --><head onclick="a"`))
    expect(html).not.toContain('<!--')
    expect(activeContent(html)).toEqual([])
    expect(html).not.toContain('evil.example')
  })

  test('of descriptions that nest for ever', () => {
    let html = IMAGE
    for (let n = 0; n < 8; n++)
      html = `<p data-mw="${JSON.stringify({ html }).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">x</p>`
    const fitted = fitBody(html).html
    expect(activeContent(fitted)).toEqual([])
    expect(fitted).not.toContain('onerror')
  })
})

describe('a conversion back', () => {
  test('recognises the HTML, whole or its body', () => {
    const { html, section } = fitBody('<p id="mwAg">a</p>')
    expect(isMarked(html)).toBe(true)
    expect(isMarked(section)).toBe(false)
    expect(isMarked('<p>data-mw-imported</p>')).toBe(false)
    const [, body = ''] = /<body[^>]*>([^]*)<\/body>/.exec(html) ?? []
    expect(isSameBody(body, html, parsoid)).toBe(true)
    expect(isSameBody(body.replace('a</p>', 'b</p>'), html, parsoid)).toBe(false)
  })

  test('knows no mark that came from outside', () => {
    const { html } = fitBody('<p data-mw-imported="x" data-parsoid="{}">a</p>')
    expect(html).toContain('<p>a</p>')
  })
})

test('elements that nest too deeply are an error of the text', () => {
  expect(() => fitBody('<div>'.repeat(20_000))).toThrow('elements that nest too deeply')
})
