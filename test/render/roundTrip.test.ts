/** Wikitext to HTML and back with what the HTML was made from: every byte comes back. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROSE_PICTURE, TestWiki } from './support/engine.js'
import { describeShared, readRows } from '../support/shared.js'

const wiki = new TestWiki(
  {
    'Template:Red': 'red',
    'Template:Style': 'style="color: {{{1|red}}}"',
    'Template:Width': '50',
    'Template:Kind': '[[Category:Roses|{{{1}}}]]',
    'Template:Beds': '{| class="beds"\n! Bed',
    'Template:End': '|}',
  },
  {},
  { 'Rose.jpg': ROSE_PICTURE },
)

const TEXTS = {
  'an attribute by a template': '<div class="{{Red}}">a</div>\n\n<span title="{{Red}} x" {{Style}}>b</span>',
  'attributes of cells by templates':
    '{| class="{{Red}}" {{Style|blue}}\n|- style="color:{{Red}}"\n! scope={{Red}} | a !! b\n| {{Style}} | c || {{Red}} || class="{{Red}}" | d\n|}',
  'a sort key by a template':
    'a [[Category:Roses|{{Red}}]]\n[[Category:Roses|{{Red}} x]][[category:red_roses| ]]',
  'a category by a template': '[[Category:{{Red}} roses|a {{Red}}]] {{Kind|a}}',
  'a default sort key by a template': '{{DEFAULTSORT:{{Red}}}}\na',
  'a size by a template': '[[File:Rose.jpg|{{Width}}px|thumb|left|{{Red}} ]]',
  'a size that a template makes none': '[[File:Rose.jpg|{{Red}}px|thumb]]',
  'a link of a picture by a template': '[[File:Rose.jpg|thumb|{{Red}}|alt={{Red}}|link={{Red}}]]',
  'targets of links by templates': '[[{{Red}}|b]] [[rose{{Red}}]]s [http://a.example/{{Red}} d]',
  'names of references by templates':
    'a<ref name="{{Red}}" group={{Red}}>x</ref>\n<references group={{Red}} />',
  'a caption of a gallery by a template':
    '<gallery caption="{{Red}}" perrow=2>\nRose.jpg|{{Red}} ?\n</gallery>',
  'a table by templates': '{{Beds}}\n|-\n| {{Style}}|a\n{{End}}\ntext',
  'uneven blanks': '==  a==\n*b\n*  c\n\n\n\nd  e\n{|\n|a||b\n|}\n<!-- c --> x\n',
  'tags that are not closed': "<b>a ''b\n\n<div>c\n* d</b>",
  'French spaces': "« a » ''? b'' : c ; d\n; e : f ?",
} as const

const PARAGRAPH = '<p>added</p>'

describe.each(Object.entries(TEXTS))('%s', (_what, wikitext) => {
  test.each(['ids', 'inline'] as const)('comes back unchanged, origins: %s', async (origins) => {
    const { html, bundle } = await wiki.render(wikitext)
    const sent = origins === 'ids' ? html : await wiki.html(wikitext, { origins })
    expect(await wiki.wikitext(sent, { wikitext, html, bundle: bundle! })).toBe(wikitext)
  })

  test.each(['ids', 'inline'] as const)(
    'stays as it was beside a new paragraph, origins: %s',
    async (origins) => {
      const { html, bundle } = await wiki.render(wikitext)
      const sent = origins === 'ids' ? html : await wiki.html(wikitext, { origins })
      const changed = sent.replace('</section></body>', `${PARAGRAPH}</section></body>`)
      const back = await wiki.wikitext(changed, { wikitext, html, bundle: bundle! })
      expect(back.replace(/\n*added\n*$/, '')).toBe(wikitext.trimEnd())
    },
  )
})

interface Recorded {
  readonly id: string
  readonly wikitext: string
}

/** The bench render/sample takes some thousand more. */
const REAL_PAGES = 10

describeShared('recorded texts come back unchanged, in both forms', 'oracle/html', (folder) => {
  const recorded = (name: string) => readRows<Recorded>(join(folder, name))
  const pages = recorded('pages.jsonl.gz').sort((a, b) => a.wikitext.length - b.wikitext.length)
  const texts = [...recorded('snippets.jsonl.gz'), ...pages.slice(0, REAL_PAGES)]
  test.each(texts)('$id', async ({ wikitext }) => {
    const { html, bundle } = await wiki.render(wikitext)
    const original = { wikitext, html, bundle: bundle! }
    expect(await wiki.wikitext(html, original)).toBe(wikitext)
    expect(await wiki.wikitext(await wiki.html(wikitext, { origins: 'inline' }), original)).toBe(wikitext)
  })
})
