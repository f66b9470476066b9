/** `action=expandtemplates`: texts of clients, expanded by the render pool. */
import { beforeAll, describe, expect, test } from 'vitest'
import { startGarden, type TestServer } from '../../conformance/garden.js'

let wiki: TestServer
beforeAll(async () => {
  wiki = await startGarden()
})

async function expand(query: string): Promise<unknown> {
  const path = `/api.php?action=expandtemplates&format=json&formatversion=2&${query}`
  const { status, bytes } = await wiki.send(path)
  expect(status).toBe(200)
  return JSON.parse(bytes.toString())
}

test.each([
  ['{{PAGENAME}}', 'API'],
  ['a<!-- not this -->b {{lc:ABC}} {{#if:|no|yes}}', 'ab abc yes'],
  ['{{Nothing here}}', '[[:Template:Nothing here]]'],
  ['<b>[[Compost]]</b> {{{1|none}}} {{{2}}}', '<b>[[Compost]]</b> none {{{2}}}'],
  ['one\r\ntwo', 'one\ntwo'],
])('expands %j', async (text, wikitext) => {
  expect(await expand(`prop=wikitext&text=${encodeURIComponent(text)}`)).toEqual({
    expandtemplates: { wikitext },
  })
})

test('expands as a page, or as a revision', async () => {
  const text = encodeURIComponent('{{PAGENAME}} {{REVISIONID}}')
  expect(await expand(`prop=wikitext&title=rain%20barrel&text=${text}`)).toMatchObject({
    expandtemplates: { wikitext: 'Rain barrel ' },
  })
  expect(await expand(`prop=wikitext&revid=102&text=${text}`)).toMatchObject({
    expandtemplates: { wikitext: 'Compost 102' },
  })
})

test('warns of the legacy form without prop', async () => {
  expect(await expand('text=x')).toMatchObject({
    expandtemplates: { wikitext: 'x' },
    warnings: { expandtemplates: { warnings: expect.stringContaining('legacy') as unknown } },
  })
})

test.each([
  ['without a text', 'prop=wikitext', 'missingparam'],
  ['with no title', 'prop=wikitext&text=x&title=%3C', 'invalidtitle'],
  ['of an unknown revision', 'prop=wikitext&text=x&revid=999999', 'nosuchrevid'],
])('refuses a request %s', async (_case, query, code) => {
  expect(await expand(query)).toMatchObject({ error: { code } })
})

describe('the tree of a text', () => {
  const tree = async (text: string): Promise<unknown> =>
    (
      (await expand(`prop=parsetree&text=${encodeURIComponent(text)}`)) as {
        expandtemplates: { parsetree: unknown }
      }
    ).expandtemplates.parsetree

  test.each([
    ['a & <b> "c"', 'a &amp; &lt;b&gt; &quot;c&quot;'],
    [
      '{{Box|a|b = {{c}}|3}}',
      '<template><title>Box</title><part><name index="1"/><value>a</value></part><part><name>b </name><equals>=</equals><value> <template><title>c</title></template></value></part><part><name index="2"/><value>3</value></part></template>',
    ],
    ['x\n{{y}}', 'x\n<template lineStart="1"><title>y</title></template>'],
    ['{{{a|b}}}', '<tplarg><title>a</title><part><name index="1"/><value>b</value></part></tplarg>'],
    [
      '<ref name="a">{{b}}</ref><references />',
      '<ext><name>ref</name><attr> name=&quot;a&quot;</attr><inner>{{b}}</inner><close>&lt;/ref&gt;</close></ext><ext><name>references</name><attr> </attr></ext>',
    ],
    [
      '<nowiki>x</nowiki>',
      '<ext><name>nowiki</name><attr/><inner>x</inner><close>&lt;/nowiki&gt;</close></ext>',
    ],
    [
      '== {{a}} == <!-- b -->\n==c\n=====\n= d =',
      '<h level="2" i="1">== <template><title>a</title></template> == <comment>&lt;!-- b --&gt;</comment></h>\n==c\n<h level="2" i="2">=====</h>\n<h level="1" i="3">= d =</h>',
    ],
    ['<includeonly>x</includeonly>y', '<ignore>&lt;includeonly&gt;x&lt;/includeonly&gt;</ignore>y'],
    ['{{open', '{{open'],
  ])('%j', async (text, xml) => {
    expect(await tree(text)).toBe(`<root>${xml}</root>`)
  })

  test('stands beside the legacy form, and is an error for templates nested too deep', async () => {
    expect(await expand('generatexml=1&text=%7B%7BX%7D%7D')).toMatchObject({
      parsetree: '<root><template><title>X</title></template></root>',
      expandtemplates: { wikitext: '[[:Template:X]]' },
    })
    const deep = encodeURIComponent('{{a|'.repeat(200) + '}}'.repeat(200))
    expect(await expand(`prop=parsetree&text=${deep}`)).toMatchObject({ error: { code: 'toobig' } })
  })

  test('comes of pages and sections by parse', async () => {
    const { bytes } = await wiki.send(
      '/api.php?action=parse&format=json&title=A&text=%3D%3Da%3D%3D&prop=parsetree&formatversion=2',
    )
    expect(JSON.parse(bytes.toString())).toMatchObject({
      parse: { parsetree: '<root><h level="2" i="1">==a==</h></root>' },
    })
  })
})
