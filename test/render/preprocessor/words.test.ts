import { describe, expect, test } from 'vitest'
import { expandOn } from './memoryWiki.js'

function rows(title: string, table: readonly (readonly [string, string])[]): void {
  test.each(table)(`%s on ${title}`, (wikitext, expected) => {
    expect(
      expandOn(wikitext, { title, pages: { Moon: 'round', 'Help:Big': 'x'.repeat(1500) } }).wikitext,
    ).toBe(expected)
  })
}

describe('names of pages', () => {
  rows('User talk:Ann Lee/Old/2024', [
    ['{{PAGENAME}}', 'Ann Lee/Old/2024'],
    ['{{PAGENAMEE}}', 'Ann_Lee/Old/2024'],
    ['{{FULLPAGENAME}}', 'User talk:Ann Lee/Old/2024'],
    ['{{FULLPAGENAMEE}}', 'User_talk:Ann_Lee/Old/2024'],
    ['{{BASEPAGENAME}}', 'Ann Lee/Old'],
    ['{{BASEPAGENAMEE}}', 'Ann_Lee/Old'],
    ['{{ROOTPAGENAME}}', 'Ann Lee'],
    ['{{ROOTPAGENAMEE}}', 'Ann_Lee'],
    ['{{SUBPAGENAME}}', '2024'],
    ['{{SUBPAGENAMEE}}', '2024'],
    ['{{SUBJECTPAGENAME}}', 'User:Ann Lee/Old/2024'],
    ['{{ARTICLEPAGENAME}}', 'User:Ann Lee/Old/2024'],
    ['{{ARTICLEPAGENAMEE}}', 'User:Ann_Lee/Old/2024'],
    ['{{TALKPAGENAME}}', 'User talk:Ann Lee/Old/2024'],
    ['{{TALKPAGENAMEE}}', 'User_talk:Ann_Lee/Old/2024'],
    ['{{NAMESPACE}}', 'User talk'],
    ['{{NAMESPACEE}}', 'User_talk'],
    ['{{NAMESPACENUMBER}}', '3'],
    ['{{SUBJECTSPACE}}', 'User'],
    ['{{ARTICLESPACE}}', 'User'],
    ['{{TALKSPACE}}', 'User talk'],
    ['{{TALKSPACEE}}', 'User_talk'],
    ['{{SEITENNAME}}', 'Ann Lee/Old/2024'],
    ['{{pagename}}', '[[:Template:Pagename]]'],
    ['{{PAGENAME|x}}', '[[:Template:PAGENAME]]'],
  ])
  rows('A/B', [
    ['{{BASEPAGENAME}}', 'A/B'],
    ['{{SUBPAGENAME}}', 'A/B'],
    ['{{ROOTPAGENAME}}', 'A/B'],
    ['[{{NAMESPACE}}]', '[]'],
    ['{{TALKPAGENAME}}', 'Talk:A/B'],
    ['{{TALKSPACE}}', 'Talk'],
  ])
  rows('A\'B & "C" = D', [
    ['{{PAGENAME}}', 'A&#39;B &#38; &#34;C&#34; &#61; D'],
    ['{{PAGENAMEE}}', 'A%27B_%26_%22C%22_%3D_D'],
    ['{{#ifeq:{{PAGENAME}}|A\'B & "C" {{=}} D|same|other}}', 'same'],
  ])
  rows('*Star', [['{{PAGENAME}}', '&#42;Star']])
  rows('Sample page', [
    ['{{PAGENAME:Talk:Foo bar}}', 'Foo bar'],
    ['{{NAMESPACE:Help:X}}', 'Help'],
    ['{{FULLPAGENAME:help:x}}', 'Help:X'],
    ['{{TALKPAGENAME:Help:X}}', 'Help talk:X'],
    ['{{SUBJECTPAGENAME:Talk:X}}', 'X'],
    ['{{NAMESPACENUMBER:Help:X}}', '12'],
    ['{{BASEPAGENAME:User:A/B/C}}', 'A/B'],
    ['{{ROOTPAGENAME:User:A/B/C}}', 'A'],
    ['{{SUBPAGENAME:User:A/B/C}}', 'C'],
    ['[{{PAGENAME:<bad>}}]', '[]'],
    ['[{{PAGENAME:}}]', '[]'],
    ['[{{TALKPAGENAME:Special:Search}}]', '[]'],
  ])
})

describe('the wiki', () => {
  rows('Sample page', [
    ['{{SITENAME}}', 'Moonbase'],
    ['{{SERVER}}', 'https://wiki.example'],
    ['{{server}}', 'https://wiki.example'],
    ['{{SERVERNAME}}', 'wiki.example'],
    ['{{SCRIPTPATH}}', '/w'],
    ['{{STYLEPATH}}', '/w/skins'],
    ['{{ARTICLEPATH}}', '/wiki/$1'],
    ['{{CURRENTVERSION}}', '1.39.17'],
    ['{{CONTENTLANGUAGE}}', 'en'],
    ['{{CONTENTLANG}}', 'en'],
    ['{{PAGELANGUAGE}}', 'en'],
    ['{{DIRECTIONMARK}}', '\u200e'],
    ['{{DIRMARK}}', '\u200e'],
    ['{{!}}', '|'],
    ['{{=}}', '='],
    ['{{NUMBEROFPAGES}}', '12,345'],
    ['{{NUMBEROFPAGES:R}}', '12345'],
    ['{{NUMBEROFARTICLES}}', '1,234,567'],
    ['{{NUMBEROFEDITS}}', '98,765'],
    ['{{NUMBEROFFILES}}', '7'],
    ['{{NUMBEROFUSERS}}', '42'],
    ['{{NUMBEROFACTIVEUSERS}}', '3'],
    ['{{NUMBEROFADMINS}}', '2'],
    ['{{NUMBERINGROUP:sysop}}', '2'],
    ['{{NUMBERINGROUP:bot}}', '0'],
    ['{{PAGESINCATEGORY:Craters}}', '1,500'],
    ['{{PAGESINCATEGORY:Craters|R}}', '1500'],
    ['{{PAGESINCAT:Craters|pages|R}}', '1400'],
    ['{{PAGESINCATEGORY:Craters|R|files}}', '70'],
    ['{{PAGESINCATEGORY:Category:Craters|subcats}}', '30'],
    ['{{PAGESINCATEGORY:Nothing}}', '0'],
    ['{{PAGESINNAMESPACE:10}}', '10,000'],
    ['{{PAGESINNS:Help|R}}', '12000'],
  ])

  test('of a language from right to left has its own mark', () => {
    expect(expandOn('{{DIRMARK}}', { site: { language: 'he' } }).wikitext).toBe('\u200f')
    expect(expandOn('{{DIRMARK}}', { site: { language: 'ydd' } }).wikitext).toBe('\u200f')
    expect(expandOn('{{DIRMARK}}', { site: { language: 'ug-latn' } }).wikitext).toBe('\u200e')
  })
})

describe('revisions', () => {
  rows('Sample page', [
    ['{{PAGEID}}', '77'],
    ['{{REVISIONID}}', '1234'],
    ['{{REVISIONUSER}}', 'Ann'],
    ['{{REVISIONSIZE}}', '4321'],
    ['{{REVISIONDAY}}', '3'],
    ['{{REVISIONDAY2}}', '03'],
    ['{{REVISIONMONTH}}', '02'],
    ['{{REVISIONMONTH1}}', '2'],
    ['{{REVISIONYEAR}}', '2024'],
    ['{{REVISIONTIMESTAMP}}', '20240203040506'],
    ['{{PAGEID:Moon}}', '100'],
    ['{{PAGEID:Mars}}', '0'],
    ['{{REVISIONID:Moon}}', '5000'],
    ['{{REVISIONUSER:Moon}}', 'Bob'],
    ['[{{REVISIONUSER:Mars}}]', '[]'],
    ['[{{REVISIONDAY:Mars}}]', '[]'],
    ['{{PAGESIZE:Help:Big}}', '1,500'],
    ['{{PAGESIZE:Help:Big|R}}', '1500'],
    ['{{PAGESIZE:Mars}}', '0'],
    ['[{{PROTECTIONLEVEL:edit}}]', '[]'],
    ['{{PROTECTIONEXPIRY:edit}}', 'infinity'],
  ])

  const locked = { pages: { Locked: 'x', Moored: 'x' } }
  test.each([
    ['{{PROTECTIONLEVEL:edit|Locked}} {{PROTECTIONLEVEL:EDIT|locked}}', 'sysop sysop'],
    [
      '[{{PROTECTIONLEVEL:move|Locked}}{{PROTECTIONLEVEL:create|Locked}}{{PROTECTIONLEVEL:edit|Salted}}]',
      '[]',
    ],
    ['{{PROTECTIONLEVEL:create|Salted}} {{PROTECTIONEXPIRY:create|Salted}}', 'user infinity'],
    ['{{PROTECTIONLEVEL:move|Moored}} {{PROTECTIONEXPIRY:move|Moored}}', 'sysop 20260314160926'],
    ['{{PROTECTIONLEVEL:edit|Moored}} {{PROTECTIONEXPIRY:edit|Moored}}', 'user infinity'],
    ['{{PROTECTIONEXPIRY:edit|Locked}} {{PROTECTIONEXPIRY:move|Locked}}', '20260315150926 infinity'],
    ['[{{PROTECTIONLEVEL:edit|Special:Version}}{{PROTECTIONLEVEL:edit|[}}{{PROTECTIONLEVEL:}}]', '[]'],
  ])('%s tells of protections', (text, result) => {
    expect(expandOn(text, locked).wikitext).toBe(result)
  })

  test('what a protection shows is true until it ends', () => {
    expect(expandOn('{{PROTECTIONLEVEL:edit|Locked}}', locked).report.lifetimeSeconds).toBe(86_400)
    expect(expandOn('{{PROTECTIONLEVEL:create|Salted}}', locked).report.lifetimeSeconds).toBeUndefined()
  })
})

describe('properties', () => {
  test('a display title that only changes the look is reported, and leaves no text', () => {
    expect(expandOn("a{{DISPLAYTITLE:''sample'' page}}b")).toMatchObject({
      wikitext: 'ab',
      properties: { displaytitle: "''sample'' page" },
    })
  })

  test('a display title that names another page is not', () => {
    const { properties, report } = expandOn('{{DISPLAYTITLE:Mars}}')
    expect(properties).toEqual({})
    expect(report.warnings).toEqual(['the display title "Mars" does not name the page'])
  })

  test('the last sort key counts', () => {
    expect(expandOn('{{DEFAULTSORT:Zed}}{{DEFAULTSORTKEY:Alpha}}').properties).toEqual({
      defaultsort: 'Alpha',
    })
    expect(expandOn('{{DEFAULTSORT:Zed}}{{DEFAULTSORT:Alpha|noreplace}}').properties).toEqual({
      defaultsort: 'Zed',
    })
  })

  test('behaviour switches are reported and stay in the text', () => {
    const { wikitext, properties } = expandOn(
      '__NOTOC__ __notoc__ __HIDDENCAT__ __hiddencat__ __NOSUCH__ __NOCC__',
    )
    expect(wikitext).toBe('__NOTOC__ __notoc__ __HIDDENCAT__ __hiddencat__ __NOSUCH__ __NOCC__')
    expect(properties).toEqual({ notoc: '', hiddencat: '', nocontentconvert: '' })
  })
})
