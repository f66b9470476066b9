import { expect, test } from 'vitest'
import { automaticSummary } from '../../src/edit/automaticSummary.js'

const wikitext = (text: string) => ({ text, contentModel: 'wikitext' })
const summary = (before: string | undefined, after: string) =>
  automaticSummary(before === undefined ? undefined : wikitext(before), wikitext(after))

test.each([
  ['a new page', undefined, 'Some text', 'Created page with "Some text"'],
  ['a new page of several lines', undefined, 'a\nb\n\nc', 'Created page with "a b  c"'],
  ['a new page of 200 letters', undefined, 'x'.repeat(200), `Created page with "${'x'.repeat(200)}"`],
  ['a new page of more', undefined, 'x'.repeat(201), `Created page with "${'x'.repeat(197)}..."`],
  ['a cut between code points', undefined, '😀'.repeat(300), `Created page with "${'😀'.repeat(197)}..."`],
  ['200 letters of two units', undefined, '😀'.repeat(200), `Created page with "${'😀'.repeat(200)}"`],
  [
    'a cut in a link',
    undefined,
    `${'x'.repeat(190)}[[Moonlight]]`,
    `Created page with "${'x'.repeat(190)}Moonl..."`,
  ],
  ['a new empty page', undefined, '', 'Created blank page'],
  ['a new redirect', undefined, '#REDIRECT [[X]]', 'Redirected page to [[X]]'],
  ['a redirect in place of a text', 'text', '#redirect [[Help:x_y#z]]', 'Redirected page to [[Help:x y#z]]'],
  ['another target', '#REDIRECT [[X]]', '#REDIRECT [[Y]]', 'Changed redirect target from [[X]] to [[Y]]'],
  ['the same target', '#REDIRECT [[X]]', '#REDIRECT [[X]]\n{{r}}', ''],
  ['a text in place of a redirect', '#REDIRECT [[Y]]', 'text', 'Removed redirect to [[Y]]'],
  ['nothing in place of a redirect', '#REDIRECT [[Y]]', '', 'Removed redirect to [[Y]]'],
  ['nothing in place of a text', 'text', '', 'Blanked the page'],
  ['nothing where nothing was', '', '', ''],
  ['a text where nothing was', '', 'text', ''],
  ['any other edit', 'text', 'other text', ''],
])('%s', (_case, before, after, expected) => {
  expect(summary(before, after)).toBe(expected)
})

test('only wikitext redirects', () => {
  const text = '#REDIRECT [[X]]'
  expect(automaticSummary(undefined, { text, contentModel: 'text' })).toBe(`Created page with "${text}"`)
  expect(automaticSummary(wikitext('a'), { text, contentModel: 'text' })).toBe('')
})
