/** Random titles, texts and comments, made of parts that wikis treat specially. */

export type Random = () => number

const WORDS =
  'lorem ipsum dolor sit amet consectetur adipiscing elit sed do naïve Ünï 日本語 中文字 กขค x=1; a-b 12 3,4 😀 e\u0301'.split(
    ' ',
  )
const IN_TITLES = [
  ...' _ __ # #part ? & + % %41 | < > [ ] { } ~ ~~~ . .. ./ /../ / : :: \\ " \' ` ^ * ; @ ! ( ) = , $'.split(
    ' ',
  ),
  ...'Talk: tALK: User: Category: Template: Help:x: Special: Media: File: image: &amp; &lt; &#39; &#65; &eacute;'.split(
    ' ',
  ),
  ...'&nbsp; &rlm; &nothing; &#128; &amp;amp; &#65'.split(' '),
  ...['\u00a0', '\u200e', '\u202a', '\ufeff', '\u3000', '\u2028', '\u00ad', '\u200b', '\u0085', '\u0378'],
  ...[
    '\t',
    '\n',
    'e\u0301',
    'ß',
    'ı',
    'ǆ',
    'ﬁ',
    '😀',
    '𐐨',
    '\ue000',
    '\ufffd',
    'a'.repeat(250),
    'é'.repeat(127),
  ],
]
const IN_TEXTS = [
  ...['\n', '\n\n', '  ', '\t', '\u00a0', '\0', '\b', '\x7f', '\u0080', '\ufffe', '\u2028', '\u00ad'],
  ...['e\u0301', '\u212b', '\u1100\u1161', '<nowiki>~~~~</nowiki>', '<pre>~~~</pre>', '<!-- c -->'],
  ...[
    '{{subst:PAGENAME}}',
    '{{subst:#if:1|a|b}}',
    '{{subst:Missing}}',
    '{{safesubst:PAGENAME}}',
    '{{#if:x|y}}',
  ],
  ...[
    '[[Foo (bar)|]]',
    '[[|Foo]]',
    '[[User:X|]]',
    '[[Foo, bar|]]',
    '<ref>{{subst:PAGENAME}}</ref>',
    '== h ==',
    '* a',
  ],
  ...[
    '#REDIRECT [[compost]]',
    '#redirect [[ Talk: x_y#z|w]] q',
    '#REDIRECT [[a%20b&amp;c]]',
    '__TOC__',
    '&#65;',
  ],
]
const COMMENTS = [
  ...[
    '',
    '',
    '',
    'why',
    '  a\n b  ',
    '\t',
    '~~~~',
    '{{subst:PAGENAME}}',
    '[[|x]]',
    '/* part */ t',
    '<b>&amp;',
  ],
  ...[
    'x'.repeat(501),
    'é'.repeat(499) + '😀😀',
    `${'x'.repeat(494)}  \n yyyyy`,
    'a\u0300\u0323',
    '\x07x',
    '\u200e',
  ],
]

export const pick = <Item>(items: readonly Item[], random: Random): Item =>
  items[Math.floor(random() * items.length)]!

const times = <Item>(count: number, make: () => Item): Item[] => Array.from({ length: count }, make)

/** Without what begins a fragment, where `name` would be lost. */
const BEFORE_NAMES = IN_TITLES.filter((part) => !/#(?!.*;)/.test(part))

/** A title around `name`, which keeps it from others that were drawn. */
export function drawTitle(name: string, random: Random): string {
  const part = (parts: readonly string[]): string => (random() < 0.5 ? pick(parts, random) : '')
  return part(BEFORE_NAMES) + part(BEFORE_NAMES) + name + part(IN_TITLES)
}

export const drawComment = (random: Random): string => pick(COMMENTS, random)

export function drawText(random: Random): string {
  const part = (): string => {
    if (random() < 0.45) return pick(IN_TEXTS, random)
    return drawLine(random) + (random() < 0.6 ? '\n' : '')
  }
  return times(Math.floor(random() * 8), part).join('')
}

export const drawLine = (random: Random): string =>
  times(Math.floor(random() * 10), () => pick(WORDS, random)).join(' ')

/** A few lines put in, taken out, moved, joined, parted, or with other words. */
export function changeLines(before: readonly string[], random: Random): string[] {
  const lines = [...before]
  for (let n = 0; n < 1 + Math.floor(random() * 4); n++) {
    const at = Math.floor(random() * (lines.length + 1))
    const words = (lines[at] ?? '').split(' ')
    const change = Math.floor(random() * 6)
    if (change === 0) lines.splice(at, 0, drawLine(random))
    else if (change === 1) lines.splice(at, 1)
    else if (change === 2) lines.splice(Math.floor(random() * lines.length), 0, ...lines.splice(at, 2))
    else if (change === 3) lines.splice(at, 2, `${lines[at] ?? ''} ${lines[at + 1] ?? ''}`)
    else if (change === 4) lines.splice(at, 1, words.slice(0, 3).join(' '), words.slice(3).join(' '))
    else lines.splice(at, 1, words.map((word) => (random() < 0.2 ? pick(WORDS, random) : word)).join(' '))
  }
  return lines
}
