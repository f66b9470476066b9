/** Names that every object of JavaScript has are names like any others: of arguments, tags, attributes, ids, languages. */
// @module-tag hostile
import { describe, expect, test } from 'vitest'
import { TestWiki } from './support/engine.js'

/** Each beside a name of the same length that nothing has. */
const KEYS = [
  ['constructor', 'constructoq'],
  ['__proto__', '__protq__'],
  ['toString', 'toStrinq'],
  ['hasOwnProperty', 'hasOwnPropertq'],
  ['valueOf', 'valueOq'],
] as const

const PLACES: Readonly<Record<string, (k: string) => string>> = {
  argument: (k) => `{{{${k}}}}`,
  argumentDefault: (k) => `{{{${k}|x}}}`,
  template: (k) => `{{${k}}}`,
  templateArg: (k) => `{{A|${k}=x}}`,
  templateArgName: (k) => `{{A|${k}}}`,
  fn: (k) => `{{#${k}:a}}`,
  fn2: (k) => `{{${k}:a}}`,
  invoke: (k) => `{{#invoke:${k}|${k}|${k}=1}}`,
  tagFn: (k) => `{{#tag:${k}|x|${k}=1}}`,
  switch: (k) => `{{#switch:${k}|${k}=a|b}}`,
  time: (k) => `{{#time:${k}|${k}|${k}}}`,
  language: (k) => `{{#language:${k}|${k}}}`,
  int: (k) => `{{int:${k}}}`,
  ns: (k) => `{{ns:${k}}}`,
  formatnum: (k) => `{{formatnum:1|${k}}}`,
  plural: (k) => `{{plural:${k}|a|b}}`,
  gender: (k) => `{{gender:${k}|a|b}}`,
  grammar: (k) => `{{grammar:${k}|${k}}}`,
  special: (k) => `{{#special:${k}}}`,
  displaytitle: (k) => `{{DISPLAYTITLE:${k}}}`,
  defaultsort: (k) => `{{DEFAULTSORT:${k}}}`,
  pagesinns: (k) => `{{PAGESINNAMESPACE:${k}}} {{PAGESINCATEGORY:${k}}}`,
  expr: (k) => `{{#expr:${k}}}`,
  rel: (k) => `{{#rel2abs:${k}}}`,
  urlencode: (k) => `{{urlencode:a|${k}}} {{anchorencode:${k}}} {{localurl:${k}|${k}}} {{fullurl:${k}:a}}`,
  padleft: (k) => `{{padleft:a|20|${k}}}`,
  var: (k) => `{{${k.toUpperCase()}}}`,
  hl: (k) => `<syntaxhighlight lang="${k}">x</syntaxhighlight>`,
  hlattr: (k) => `<syntaxhighlight lang="js" ${k}="a">x</syntaxhighlight>`,
  source: (k) => `<source lang=${k}>x</source>`,
  tag: (k) => `<${k}>x</${k}>`,
  tagself: (k) => `<${k} />`,
  tagclose: (k) => `</${k}>`,
  attr: (k) => `<div ${k}="a">x</div>`,
  attr0: (k) => `<div ${k}>x</div>`,
  data: (k) => `<div data-${k}="a" aria-${k}=b>x</div>`,
  cls: (k) =>
    `<div class="${k}" id="${k}" style="${k}:a" title="${k}" role="${k}" typeof="${k}" rel="${k}" property="${k}" about="${k}">x</div>`,
  itemprop: (k) => `<span itemscope itemprop="${k}" itemtype="http://${k}" lang="${k}" dir="${k}">x</span>`,
  ref: (k) => `<ref name="${k}">a</ref><ref name="${k}" /><references />`,
  refgroup: (k) =>
    `<ref group="${k}">a</ref><ref group="${k}" name="${k}">b</ref><references group="${k}" />`,
  reflist: (k) => `<ref name="${k}"/><references><ref name="${k}">x</ref></references>`,
  follow: (k) => `<ref follow="${k}">a</ref><ref ${k}=a>b</ref><references ${k}=1 responsive="${k}" />`,
  refGroupLate: (k) => `<ref group="${k}" name="a"/>`,
  refsOnly: (k) => `<references group="${k}" />`,
  gallery: (k) =>
    `<gallery mode="${k}" ${k}="1" caption="${k}" widths=${k}>\nFile:${k}.jpg|${k}|alt=${k}|${k}=a\n${k}\n</gallery>`,
  poem: (k) => `<poem ${k}=1>x</poem>`,
  pre: (k) => `<pre ${k}="1">x</pre>`,
  nowiki: (k) => `<nowiki ${k}=1>x</nowiki>`,
  math: (k) => `<math ${k}=1>\\${k} ${k}</math><math display="${k}">x</math>`,
  ce: (k) => `<ce>${k}</ce>`,
  ts: (k) => `<templatestyles src="${k}" wrapper="${k}" ${k}=1 />`,
  foreign: (k) => `<hiero ${k}=1>x</hiero>`,
  section: (k) => `<section begin="${k}" />x<section end="${k}" /><section ${k}="a"/>`,
  indicator: (k) => `<indicator name="${k}">x</indicator>`,
  translate: (k) => `<translate ${k}>x</translate><tvar|${k}>y</>`,
  link: (k) => `[[${k}]] [[${k}|x]] [[:${k}]] [[/${k}]] [[#${k}]]`,
  nslink: (k) => `[[${k}:A]] [[:${k}:A]] [[A:${k}:b]]`,
  file: (k) =>
    `[[File:${k}]] [[File:A.jpg|${k}|thumb]] [[File:A.jpg|${k}=a|thumb]] [[File:A.jpg|link=${k}|alt=${k}|lang=${k}|page=${k}|upright=${k}|${k}px]]`,
  file2: (k) => `[[File:A.jpg|thumb=${k}|manualthumb=${k}|class=${k}|${k}|x]]`,
  media: (k) => `[[Media:${k}]]`,
  cat: (k) => `[[Category:${k}|${k}]]`,
  lang: (k) => `[[${k}:${k}:${k}]]`,
  ext: (k) => `[${k}:a b] [http://${k} ${k}] ${k}://a [//${k}] ${k} 123 RFC ${k}`,
  variant: (k) => `-{${k}:x;${k}=>en:y}- -{${k}|x}-`,
  variant2: (k) => `-{H|${k}:a}- -{T|${k}}-`,
  behaviour: (k) => `__${k.toUpperCase()}__ __${k}__`,
  entity: (k) => `&${k}; &#${k};`,
  table: (k) => `{| ${k}="a"\n|+ ${k}=1 | c\n|- ${k}=1\n! ${k}="a" | x !! ${k}=b | y\n| ${k}=c | z\n|}`,
  heading: (k) => `== ${k} ==\n=== ${k} ===\n== ${k} ==`,
  headings: (k) => `== ${k} ==`,
  list: (k) => `; ${k} : ${k}\n* ${k}`,
  redirect: (k) => `#REDIRECT [[${k}]]`,
  redirect2: (k) => `#${k} [[A]]`,
  onlyinclude: (k) =>
    `<onlyinclude ${k}>x</onlyinclude> <noinclude ${k}=1>y</noinclude><includeonly ${k}>z</includeonly>`,
  isbn: (k) => `ISBN ${k}`,
  comment: (k) => `<!--${k}-->`,
  tagExt2: (k) => `<ref ${k} ${k}="x" name=b>y</ref><references/>`,
  font: (k) => `<font color="${k}" size=${k}>x</font> <td ${k}=1> <br ${k}=1> <li ${k}>`,
  html: (k) =>
    `<abbr title=x ${k}=y>a</abbr><bdo ${k}=1>b</bdo> <table ${k}=1><tr ${k}=1><td ${k}=1>x</td></tr></table> <ol ${k}=1><li ${k}=2>x</li></ol> <h2 ${k}=1 id=${k}>x</h2>`,
  exttmpl: (k) => `<div {{A|${k}}}>x</div> <div {{{${k}}}}="1">x</div> {| {{A}}\n|{{{${k}}}}\n|}`,

  id: (k) => `<div id="${k}">x</div>\n== ${k} ==\n<span id="${k}">y</span>`,
}

const wiki = new TestWiki({ 'Template:A': '{{{1}}} {{{a|}}}' })

/** Two texts that differ in the name alone give HTML that differs in it alone. */
function withoutName(html: string, name: string): string {
  const core = name.replaceAll('_', '')
  return html.replace(new RegExp(`(?:_|%5F|\\\\_| )*${core}(?:_| )*`, 'gi'), 'NAME')
}

/** The engine leaves these attributes out, and with this one name does not note that it did. */
const NOT_NOTED = new Set(['attr', 'attr0', 'table', 'font', 'html'])

describe.each(Object.keys(PLACES))('a name in the place of %s', (place) => {
  const text = PLACES[place]!
  test.each(KEYS)('%s', async (key, other) => {
    for (const origins of ['ids', 'inline'] as const) {
      const html = await wiki.html(text(key), { origins, bodyOnly: true })
      const expected = await wiki.html(text(other), { origins, bodyOnly: true })
      expect(withoutName(withoutOrigins(html), key)).toBe(withoutName(withoutOrigins(expected), other))
      if (origins === 'ids' || (key === '__proto__' && NOT_NOTED.has(place))) continue
      const [back, expectedBack] = [await wiki.wikitext(html), await wiki.wikitext(expected)]
      expect(withoutName(back, key)).toBe(withoutName(expectedBack, other))
    }
  })
})

const withoutOrigins = (html: string): string => html.replace(/ data-parsoid=('[^']*'|"[^"]*")/g, '')

describe('a page whose ids are such names', () => {
  test.each(KEYS)('comes back as it was: %s', async (key) => {
    const text = `<div  id="${key}">x</div>\n<p   id="${key}">y</p>\n==${key}==`
    const { html, bundle } = await wiki.render(text)
    const original = { wikitext: text, html, bundle: JSON.parse(JSON.stringify(bundle)) as never }
    expect(await wiki.wikitext(html, original)).toBe(text)
    const inline = await wiki.html(text, { origins: 'inline' })
    expect(await wiki.wikitext(inline, original)).toBe(text)
  })
})

describe('U+FEFF', () => {
  test.each(['\ufeff', '\ufeffA', 'A\ufeff', 'Talk:\ufeff'])('is a letter of the title %j', async (title) => {
    const html = await wiki.html(`x [[${title}]]`, { title })
    expect(html).toContain(`<title>${title}</title>`)
    expect(html).toContain(`title="${title}"`)
  })
})
