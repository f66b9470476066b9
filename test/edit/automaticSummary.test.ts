import { expect, test } from 'vitest'
import { interwikiMap, NO_INTERWIKI_CHANGES } from '../../src/domain/interwiki.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { automaticSummary } from '../../src/edit/prepareEdit.js'

const wiki = {
  namespaces: new Namespaces(DEFAULT_SITE),
  interwiki: interwikiMap(DEFAULT_SITE, NO_INTERWIKI_CHANGES),
}
const wikitext = (text: string) => ({ text, contentModel: 'wikitext' })
const summary = (before: string | undefined, after: string) =>
  automaticSummary(before === undefined ? undefined : wikitext(before), wikitext(after), wiki)
const created = (quoted: string) => `Created page with "${quoted}"`
const replaced = (quoted: string) => `Replaced content with "${quoted}"`
const x = (count: number) => 'x'.repeat(count)

test.each([
  ['a new page', undefined, 'Some text', created('Some text')],
  ['a new page of several lines', undefined, 'a\nb\n\nc', created('a b  c')],
  ['blanks in front', undefined, '  \n a', created('    a')],
  ['a new page of 478 bytes', undefined, x(478), created(x(478))],
  ['a new page of more', undefined, x(479), created(`${x(475)}...`)],
  ['letters of two bytes', undefined, 'é'.repeat(300), created(`${'é'.repeat(237)}...`)],
  ['a letter that the cut would halve', undefined, `${x(473)}😀${x(9)}`, created(`${x(473)}...`)],
  ['a blank before the cut', undefined, `${x(474)} ${x(9)}`, created(`${x(474)}...`)],
  ['line breaks before the cut', undefined, `${x(472)}\n\n\n${x(9)}`, created(`${x(472)}...`)],
  ['a cut in a link', undefined, `${x(460)}[[Moonlight sonata]]`, created(`${x(460)}Moonlight son...`)],
  [
    'a link that ends at the cut',
    undefined,
    `${x(462)}[[Moonlight]]${x(9)}`,
    created(`${x(462)}[[Moonlight]]...`),
  ],
  ['a link that nobody closed', undefined, 'a [[b [[c', created('a b [[c')],
  ['a link that is half closed', undefined, 'a [[b]', created('a b')],
  ['signs of replacements', undefined, '$1 $& $`', created('$1 $& $`')],
  ['a new empty page', undefined, '', 'Created blank page'],
  ['a new redirect', undefined, '#REDIRECT [[X]]', 'Redirected page to [[X]]'],
  [
    'a redirect in place of a text',
    'text',
    '#redirect [[help: x_y#z_z|a]]',
    'Redirected page to [[Help:X y#z z]]',
  ],
  ['a redirect in place of a long text', x(3000), '#REDIRECT [[X]]', 'Redirected page to [[X]]'],
  ['a redirect with references and escapes', '', '#REDIRECT [[a&amp;b%20c]]', 'Redirected page to [[A&b c]]'],
  [
    'a redirect to another wiki',
    '',
    '#REDIRECT [[Commons: moon_b#c]]',
    'Redirected page to [[commons:moon b#c]]',
  ],
  ['a redirect to no title', undefined, '#REDIRECT [[a&lt;b]]', created('#REDIRECT [[a&lt;b]]')],
  ['another target', '#REDIRECT [[x]]', '#REDIRECT [[y]]', 'Changed redirect target from [[X]] to [[Y]]'],
  [
    'another section',
    '#REDIRECT [[X]]',
    '#REDIRECT [[X#a]]',
    'Changed redirect target from [[X]] to [[X#a]]',
  ],
  ['the same target', '#REDIRECT [[X]]', '#REDIRECT [[x]]\n{{r}}', ''],
  [
    'the same target and little else',
    `#REDIRECT [[X]]${x(900)}`,
    '#REDIRECT [[X]]',
    replaced('#REDIRECT [[X]]'),
  ],
  ['a text in place of a redirect', '#REDIRECT [[Y]]', 'text', 'Removed redirect to [[Y]]'],
  ['a word in place of a long redirect', `#REDIRECT [[Y]]${x(900)}`, 'text', 'Removed redirect to [[Y]]'],
  ['nothing in place of a redirect', '#REDIRECT [[Y]]', '', 'Blanked the page'],
  ['nothing in place of a text', 'text', '', 'Blanked the page'],
  ['nothing where nothing was', '', '', ''],
  ['a text where nothing was', '', 'text', ''],
  ['any other edit', 'text', 'other text', ''],
  ['a tenth of the text', x(1000), 'y'.repeat(100), ''],
  ['less than a tenth', x(1001), 'a\nb'.padEnd(100, 'y'), replaced('a b'.padEnd(100, 'y'))],
  ['a tenth of the letters in fewer bytes', 'é'.repeat(55), 'y'.repeat(10), replaced('y'.repeat(10))],
  ['a quotation that is too long', x(6000), 'y'.repeat(475), replaced(`${'y'.repeat(471)}...`)],
])('%s', (_case, before, after, expected) => {
  expect(summary(before, after)).toBe(expected)
})

test('only wikitext redirects', () => {
  const text = '#REDIRECT [[X]]'
  expect(automaticSummary(undefined, { text, contentModel: 'text' }, wiki)).toBe(
    `Created page with "${text}"`,
  )
  expect(automaticSummary(wikitext('a'), { text, contentModel: 'text' }, wiki)).toBe('')
})
