/** Pages as authors of a wiki write them: with its own names of namespaces, options, switches and functions. */

/** What a wiki says of its words. */
export interface OwnWords {
  readonly language: string
  /** Names of a namespace: its own first, then its aliases. */
  namespace(id: number): readonly string[]
  /** Aliases of a magic word, the language's own first. */
  magic(id: string): readonly string[]
  special(id: string): string
}

export interface AuthoredPage {
  readonly title: string
  readonly text: string
}

/** Words of a language: two nouns, an ending that follows a link, a sentence, and texts with what is special in it. */
interface Sample {
  readonly noun: string
  readonly other: string
  readonly ending: string
  readonly sentence: string
  readonly hostile: readonly string[]
  /** Titles whose letters are treated specially. */
  readonly titles: readonly string[]
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  ru: {
    noun: 'кот',
    other: 'ёлка',
    ending: 'ами',
    sentence: 'Съешь ещё этих мягких французских булок, да выпей же чаю № 5.',
    hostile: ['«Ёж» — 1 234,5 ₽', 'кот́ и ко́т', '{{plural:21|кот|кота|котов}}', 'И. о. царя'],
    titles: ['йод', 'Ёж (зверь)', 'Кот, рыжий', 'Кот: рассказ', 'Дом № 5'],
  },
  zh: {
    noun: '软件',
    other: '電腦',
    ending: '们',
    sentence: '我用電腦寫程式，把檔案存在伺服器裡；他用计算机编写程序，把文件存在服务器里。',
    hostile: [
      '-{zh-hans:软件;zh-hant:軟體}-与-{zh-cn:内存;zh-tw:記憶體;zh-hk:記憶體}-',
      '-{H|zh-cn:博客;zh-tw:部落格;zh-hk:網誌}-我的博客、部落格',
      '-{A|zh-cn:打印机;zh-tw:印表機}-，打印机和印表機',
      '-{简体字}- -{R|软件軟體}- -{zh|字}- -{}- -{zh;zh-hans|软件軟體}-',
      '-{D|zh-cn:鼠标;zh-tw:滑鼠}-',
      '-{zh-hans:只有简体}-。-{zh-hant:只有繁體}-。',
      '-{T|zh-hans:换名;zh-hant:換名}-',
      '皇后在後面，头发发现，干燥干部，里面公里，表面手錶，面条',
      '<nowiki>-{zh-hans:a;zh-hant:b}-</nowiki> <code>電腦软件</code>',
      '{{lc:-{zh-hans:软;zh-hant:軟}-A}} {{#if:-{x}-|有|无}}',
      'http://例子.test/電腦 [http://example.test/電腦 電腦软件]',
    ],
    titles: ['台灣', '發展', '简体', '鼠标 (电脑)', '電腦，程式'],
  },
  sr: {
    noun: 'мачка',
    other: 'љубав',
    ending: 'ма',
    sentence: 'Фијуче ветар у шибљу, леди пасаже и куће. Fijuče vetar u šiblju, ledi pasaže i kuće iza njih.',
    hostile: [
      '-{sr-ec:ћирилица;sr-el:latinica}-',
      '-{Microsoft Windows}- -{R|Ana}-',
      '-{A|sr-ec:Њујорк;sr-el:New York}- Њујорк New York Njujork',
      '-{sr-el|Ana}- -{sr-Cyrl:ј;sr-Latn:j}- -{H|sr-ec:Беч!;sr-el:Beč}-Beč',
      'Džep, nadživeti, injekcija, konjunktura, Ljubljana, LJUBAV, NJEGOŠ, DŽEP, Tanjug',
      'Џеп, Њ, Љ, ЊЕГОШ, Љубљана, њ ЏЕП Љ. Њ',
      'XIV vek, MMXIV, I i II, IV разред, WHO, x, y, w, q',
      '<nowiki>-{sr-ec:a;sr-el:b}-</nowiki> <code>mačka мачка</code>',
      'http://example.test/Мачка [http://example.test/macka mačka]',
    ],
    titles: ['Београд', 'Niš', 'Љубав (филм)', 'džez', 'Њујорк, град'],
  },
  tr: {
    noun: 'kedi',
    other: 'ısırgan',
    ending: "ler'den",
    sentence: 'Pijamalı hasta yağız şoföre çabucak güvendi; İstanbul ıssız, iğne ılık.',
    hostile: [
      '{{uc:istanbul ırmak}} {{lc:İSTANBUL IRMAK}} {{ucfirst:izmir}} {{ucfirst:ırmak}} {{lcfirst:İzmir}} {{lcfirst:Irmak}}',
      '[[izmir]] [[İzmir]] [[ırmak]] [[Irmak]] [[Izmir]]',
      '{{grammar:belirtme|kedi}} {{grammar:in|ev}}',
    ],
    titles: ['izmir', 'ırmak', 'İğne (tıp)', 'şeker', 'Kedi, van'],
  },
  fa: {
    noun: 'گربه',
    other: 'کتاب',
    ending: '\u200cها',
    sentence: 'در سال ۱۳۵۷ می\u200cخواهم کتاب\u200cهای خوب را بخوانم؛ آیا می\u200cآیی؟',
    hostile: [
      '1234 ۱۲۳۴ {{formatnum:1234567.891}} {{formatnum:۱٬۲۳۴٫۵|R}}',
      '{{#time:j F Y|2024-03-20}} {{#time:xij xiF xiY|2024-03-20}} {{#time:xiy xin xit xiz|2024-03-20}}',
      '[[کتاب]]\u200cخانه [[کتاب]]ی [[کتاب]]‌های',
      'علی و علي، کتاب و كتاب، ۀ و هٔ',
    ],
    titles: ['آب', 'می\u200cروم', 'کتاب (رمان)', 'گربه، ایرانی', 'ایران ۱۳۵۷'],
  },
  he: {
    noun: 'חתול',
    other: 'יער',
    ending: 'ים',
    sentence: 'דג סקרן שט בים מאוכזב ולפתע מצא חברה; שָׁלוֹם עֲלֵיכֶם, צה"ל וצ\'ק.',
    hostile: [
      'ו[[יער]] ה[[חתול]]ים ל[[חתול|כלב]]י',
      '{{#time:xjj xjF xjY|2024-03-20}} {{#time:xjt xjx xjn|2024-03-20}} {{#time:xhxjj xhxjY|2024-03-20}}',
      '{{grammar:תחילית|ירושלים}} {{grammar:תחילית|ויקי}} {{grammar:prefixed|הבית}}',
      '{{plural:1|אחד|שניים|רבים}} {{plural:2|אחד|שניים|רבים}} {{plural:10|אחד|שניים|רבים}} {{plural:20|אחד|שניים|רבים}}',
    ],
    titles: ['צה"ל', "ג'ירפה", 'שָׁלוֹם', 'חתול (סרט)', 'חתול, בית'],
  },
}

const ENGLISH: Sample = {
  noun: 'cat',
  other: 'forest',
  ending: 's',
  sentence: 'The quick brown fox jumps over the lazy dog.',
  hostile: [],
  titles: ['ice', 'Cat (film)', 'Cat, black'],
}

/** Functions that are written with a number sign. */
const WITH_SIGN: ReadonlySet<string> = new Set(
  'if ifeq ifexist ifexpr iferror switch expr time timel rel2abs titleparts len pos sub replace explode count'
    .split(' ')
    .concat('language tag special formatdate invoke'.split(' ')),
)

export const PICTURE = 'Sample picture.png'
/** Missing pictures without a frame show their caption in MediaWiki's own HTML, and their name in that of Parsoid. */
const FRAMES: ReadonlySet<string> = new Set(['img_thumbnail', 'img_framed'])
const MONTHS = Array.from({ length: 12 }, (_, n) => String(n + 1).padStart(2, '0'))
const NUMBERS =
  '0 1 -1 12 999 1000 1234 12345 123456 1234567 1234567.891 -1234.50 0.000001 1e6 1.0E+15 +5000 007'.split(
    ' ',
  )
const COUNTS = '0 1 2 3 4 5 6 7 10 11 12 14 20 21 22 25 100 101 111 1.5 1000000'.split(' ')
const SWITCHES = 'notoc nogallery noeditsection newsectionlink index noindex'.split(' ')
const PAGE_VARIABLES =
  'pagename pagenamee fullpagename fullpagenamee namespace namespacenumber talkpagename subjectpagename talkspace subjectspace subpagename basepagename rootpagename sitename contentlanguage'.split(
    ' ',
  )
const TIME_VARIABLES =
  'currentmonthname currentmonthnamegen currentmonthabbrev currentdayname currentyear currentmonth currentday localmonthname localdayname localyear'.split(
    ' ',
  )
const SHOWN_NAMESPACES = [-2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 14, 15]

/** Pages of all areas in the words of a wiki. Pages that others use come first. */
export function authoredPages(words: OwnWords): AuthoredPage[] {
  const sample = SAMPLES[words.language] ?? ENGLISH
  const kit = new Kit(words, sample)
  const numbered = [
    ...pictures(kit),
    ...links(kit),
    ...numbers(kit),
    ...dates(kit),
    ...functions(kit),
    ...shape(kit),
  ].map((text, n) => ({ title: `${sample.noun} ${String(n + 1).padStart(2, '0')}`, text }))
  const hostile = sample.hostile.map((text, n) => ({
    title: `${sample.other} ${n + 1}`,
    text: `${text}\n\n== ${text} ==\n* ${text}\n{| class="wikitable"\n|-\n| ${text}\n|}\n${sample.sentence}`,
  }))
  const titled = sample.titles.map((title) => ({
    title,
    text: `'''${title}''' {{${kit.word('pagename')}}} {{${kit.word('ns')}:2}} [[${title}]] [[${title}|]] [[:${kit.ns(14)}:${title}]] [[${kit.ns(14)}:${title}]]`,
  }))
  return [...supports(kit), ...numbered, ...hostile, ...titled]
}

class Kit {
  readonly sample: Sample
  readonly #words: OwnWords

  constructor(words: OwnWords, sample: Sample) {
    this.#words = words
    this.sample = sample
  }

  get language(): string {
    return this.#words.language
  }

  ns(id: number): string {
    return this.#words.namespace(id)[0] ?? ''
  }

  namesOf(id: number): readonly string[] {
    return this.#words.namespace(id)
  }

  special(id: string): string {
    return `${this.ns(-1)}:${this.#words.special(id)}`
  }

  all(id: string): readonly string[] {
    return this.#words.magic(id)
  }

  word(id: string): string {
    return (this.all(id)[0] ?? id).replace(/^#|:$/g, '')
  }

  /** A call of a function by its own name. */
  call(id: string, ...values: readonly string[]): string {
    const [first = '', ...rest] = values
    return `{{${WITH_SIGN.has(id) ? '#' : ''}${this.word(id)}:${[first, ...rest].join('|')}}}`
  }

  /** An option of a picture, whose value takes the place of `$1`. */
  option(id: string, value = ''): string {
    return (
      this.all(id).find((word) => word.includes('$1') === (value !== '')) ??
      this.all(id)[0] ??
      id
    ).replace('$1', value)
  }

  picture(...options: readonly string[]): string {
    return `[[${[`${this.ns(6)}:${PICTURE}`, ...options].join('|')}]]`
  }

  missing(...options: readonly string[]): string {
    return `[[${[`${this.ns(6)}:${this.sample.noun}.png`, ...options].join('|')}]]`
  }
}

function supports(kit: Kit): AuthoredPage[] {
  const { noun, other, sentence } = kit.sample
  const box = `${kit.ns(10)}:${noun}`
  return [
    {
      title: box,
      text: `<includeonly>{| class="infobox"\n! {{{${noun}|?}}}\n|-\n| {{{1}}} {{{2|${other}}}}\n|}[[${kit.ns(14)}:${noun}]]</includeonly><noinclude>${sentence}</noinclude>`,
    },
    { title: `${kit.ns(10)}:${other}`, text: `${kit.call('if', '{{{1|}}}', `${other} {{{1}}}`, noun)}` },
    { title: `${kit.ns(14)}:${noun}`, text: `${sentence}\n[[${kit.ns(14)}:${other}]]` },
    { title: `${kit.ns(14)}:${other}`, text: kit.all('hiddencat')[0] ?? sentence },
    { title: `${kit.ns(828)}:${noun}`, text: MODULE },
    { title: `${kit.ns(2)}:${noun}`, text: `${sentence} [[/${other}]] {{${kit.word('pagename')}}}` },
    {
      title: `${kit.ns(12)}:${noun}/${other}`,
      text: `{{${kit.word('subpagename')}}} [[../]] [[../${noun}|x]]`,
    },
    { title: other, text: `'''${other}''' ${sentence}` },
    ...kit
      .all('redirect')
      .map((word, n) => ({ title: `${other} ${noun} ${n}`, text: `${word} [[${other}]]` })),
  ]
}

/** What `mw.language` says, a line each. */
const MODULE = `local p = {}
function p.main(frame)
  local l, out = mw.language.getContentLanguage(), {}
  local function add(v) out[#out + 1] = tostring(v) end
  add(l:getCode()) add(l:isRTL()) add(l:getDir()) add(l:getDirMark()) add(l:getArrow('forwards'))
  add(l:formatNum(1234567.891)) add(l:formatNum(-0.5)) add(l:formatNum(1234567, { noCommafy = true }))
  add(l:parseFormattedNumber(l:formatNum(1234567.5)))
  add(l:formatDate('j F Y, l', '2024-03-05')) add(l:formatDate('xg M D', '2024-10-12'))
  for _, n in ipairs{ 0, 1, 2, 5, 11, 21, 1.5 } do add(l:plural(n, 'a', 'b', 'c', 'd', 'e')) end
  add(l:uc('istanbul ırmak ß')) add(l:lc('İSTANBUL IRMAK')) add(l:ucfirst('izmir')) add(l:lcfirst('Irmak İ'))
  add(l:gender('male', 'm', 'f')) add(l:grammar('genitive', 'Wiki'))
  for _, s in ipairs{ 0, 1, 59, 60, 3600, 86400, 694861001 } do add(l:formatDuration(s)) end
  add(l:formatDuration(100000, { 'hours', 'seconds' })) 
  add(mw.language.fetchLanguageName('de'))
  add(table.concat(mw.language.getFallbacksFor(l:getCode()), ' '))
  for _, id in ipairs{ 1, 2, 6, 10, 14, 828 } do local n = mw.site.namespaces[id] add(n.name) add(n.canonicalName) local a = {} for i, v in ipairs(n.aliases) do a[i] = v end table.sort(a) add(table.concat(a, ' ')) end
  add(mw.title.new('x', 10).prefixedText) add(mw.title.getCurrentTitle().nsText)
 
  return table.concat(out, '\\n* ')
end
return p`

function* pictures(kit: Kit): Generator<string> {
  const { sentence, noun } = kit.sample
  const flags = [
    'img_thumbnail',
    'img_framed',
    'img_frameless',
    'img_border',
    'img_left',
    'img_right',
    'img_center',
    'img_none',
  ]
  for (const id of flags) {
    yield kit
      .all(id)
      .map((word) => kit.picture(word, sentence) + (FRAMES.has(id) ? `\n\n${kit.missing(word, noun)}` : ''))
      .join('\n\n')
  }
  const thumb = kit.option('img_thumbnail')
  yield [
    kit.picture(
      thumb,
      kit.option('img_width', '120'),
      kit.option('img_left'),
      `'''${noun}''' [[${noun}]]${kit.sample.ending}`,
    ),
    kit.picture(thumb, kit.option('img_upright', '1.2'), sentence),
    kit.picture(kit.option('img_alt', noun), kit.option('img_link', noun)),
    kit.picture(thumb, kit.option('img_class', 'x'), kit.option('img_lang', kit.language), noun),
    ...['img_baseline', 'img_sub', 'img_super', 'img_top', 'img_middle', 'img_bottom', 'img_text_top'].map(
      (id) => kit.picture(kit.option(id)),
    ),
  ].join('\n\n')
  yield [...kit.namesOf(6), 'File', 'Image']
    .map((name) => `[[${name}:${PICTURE}|${thumb}|${noun}]] [[:${name}:${PICTURE}]]`)
    .join('\n')
  yield [-2, 6]
    .flatMap((id) => [...kit.namesOf(id)])
    .map((name) => `[[${name}:${noun}.png]]`)
    .join('\n')
  yield `<gallery>\n${kit.ns(6)}:${PICTURE}|${sentence}\n${PICTURE}|[[${noun}]]${kit.sample.ending}\nImage:${PICTURE}\n</gallery>`
  yield `${kit.picture(thumb, `x${noun}`, noun)} ${kit.picture('thumb', 'left', '100px', noun)} ${kit.picture(`${thumb} `, ` ${noun} `)} ${kit.picture(thumb.toUpperCase(), noun)}`
}

function* links(kit: Kit): Generator<string> {
  const { noun, other, ending, sentence } = kit.sample
  const endings = [ending, 'x', 'é', 'ы', 'ё', 'ها', 'ים', '们', 'č', 'ğ', 'ı', "'s", '-x', '1']
  yield endings.map((end) => `[[${other}]]${end} [[${other}|${noun}]]${end}y ${end}[[${other}]]`).join('\n\n')
  yield SHOWN_NAMESPACES.map((id) =>
    kit
      .namesOf(id)
      .map((name) => `* [[:${name}:${noun}]]`)
      .join('\n'),
  ).join('\n')
  yield SHOWN_NAMESPACES.map(
    (id) =>
      `* [[:${kit.ns(id)}:${noun} (${other})|]] [[:${kit.ns(id).toLowerCase()}:${noun}]] [[:${kit.ns(id).toUpperCase()}:${noun}]]`,
  ).join('\n')
  yield ['Allpages', 'Search', 'Categories', 'Recentchanges', 'Userlogin', 'Mypage']
    .map((id) => `* [[${kit.special(id)}]] [[Special:${id}]] ${kit.call('special', id.toLowerCase())}`)
    .join('\n')
  yield `${kit
    .namesOf(14)
    .map((name, n) => `[[${name}:${noun} ${n}|${other}]]`)
    .join(
      ' ',
    )} [[${kit.ns(14)}:${other}]] [[Category:${noun}]] {{${kit.word('defaultsort')}:${noun}}} ${sentence}`
  yield `${kit
    .namesOf(14)
    .map((name) => `[[:${name}:${noun}]]`)
    .join(
      ' ',
    )} [[:${kit.ns(14)}:${noun}|]] [[ ${noun} ]] [[${noun}_01#${other}]] [[#${other}|${other}]] [[:en:${noun}]] [[wikipedia:${noun}|]]`
  yield `[[${noun} 01]], [[${noun.toUpperCase()}]], [[_${noun}_ 02_]], [[${noun}&nbsp;03]], [[${encodeURIComponent(noun)}]], [[${noun}|''${other}'' '''x''']] [[${noun}<!-- x --> 04]]`
  yield `{{${noun}|1|${noun}=${other}}} {{${kit.ns(10)}:${noun}|a}} {{${kit.ns(10).toLowerCase()}:${other}|b}} {{${other}}} {{Template:${other}|c}} {{${noun} ${other}}}`
  for (const id of [2, 3])
    yield kit
      .namesOf(id)
      .map((name) => `* [[${name}:${noun}]] [[${name}:${noun}/${other}]]`)
      .join('\n')
}

function* numbers(kit: Kit): Generator<string> {
  const rows = (make: (number: string) => string, list = NUMBERS): string =>
    list.map((number) => `* ${number}: ${make(number)}`).join('\n')
  yield rows((number) => kit.call('formatnum', number))
  yield rows(
    (number) =>
      `${kit.call('formatnum', number, kit.word('nocommafysuffix'))} ${kit.call('formatnum', number, 'NOSEP')}`,
  )
  yield rows(
    (number) =>
      `${kit.call('formatnum', number, kit.word('rawsuffix'))} ${kit.call('formatnum', kit.call('formatnum', number), 'R')}`,
  )
  yield rows((number) => kit.call('plural', number, 'one', 'two', 'three', 'four', 'five', 'six'), COUNTS)
  yield rows(
    (number) =>
      `${kit.call('plural', number, 'one', 'two')} ${kit.call('plural', number, '0=zero', '11=eleven', 'one', 'two', 'three')}`,
    COUNTS,
  )
  yield rows(
    (number) =>
      `${kit.call('expr', `${number}*1000`)} ${kit.call('formatnum', kit.call('expr', `${number}/7`))}`,
    ['1', '1234', '1.5', '10^12'],
  )
  yield `{{NUMBEROFFILES}} {{NUMBEROFFILES:R}} ${kit.call('formatnum', '{{NUMBEROFFILES}}')} ${kit.call('padleft', '7', '3', '0')} ${kit.call('padright', kit.sample.noun, '12', kit.sample.other)}`
}

function* dates(kit: Kit): Generator<string> {
  yield MONTHS.map((month) => `* ${kit.call('time', 'F, xg, M, n, m', `2024-${month}-05`)}`).join('\n')
  yield MONTHS.slice(0, 7)
    .map((day) => `* ${kit.call('time', 'l, D, N, w, jS', `2024-09-${day}`)}`)
    .join('\n')
  yield [
    'j F Y',
    'd-m-y H:i:s',
    'l j xg Y',
    'Y-m-d',
    'xnY',
    'xrY',
    'xjj xjF xjY',
    'xmj xmF xmY',
    'xij xiF xiY',
    'xkY xoY xtY',
    'xhxjj',
    'g:i a A',
    'r',
    'c',
    'U',
    '"j F" \\Y',
    'xg',
  ]
    .map(
      (format) =>
        `* ${kit.call('time', format, '2024-10-05 14:03:09')} ${kit.call('timel', format, '1999-12-31 23:59:59')}`,
    )
    .join('\n')
  yield ['en', 'ru', 'fa', 'ja', 'fi', 'zh', 'zh-tw', 'sr-el', 'he', 'tr', 'ar']
    .map(
      (code) =>
        `* ${kit.call('time', 'j F Y l', '2024-10-05', code)} ${kit.call('language', code)} ${kit.call('language', code, kit.language)} ${kit.call('language', code, 'en')}`,
    )
    .join('\n')
  yield [
    '5 October 2024',
    '2024-10-05',
    'October 5',
    '5 oct 2024',
    '31 feb 2024',
    '',
    '@86400',
    'last day of february 2024',
    '2024-10-05 +1 week',
  ]
    .map((date) => `* ${kit.call('time', 'Y-m-d', date)}`)
    .join('\n')
  yield ['dmy', 'mdy', 'ymd', 'ISO 8601']
    .map(
      (form) =>
        `* ${kit.call('formatdate', '2024-10-05', form)} ${kit.call('formatdate', '5 October', form)} ${kit.call('formatdate', kit.call('time', 'xnj xg xnY', '2024-10-05'), form)}`,
    )
    .join('\n')
  yield TIME_VARIABLES.map((id) => `* {{${kit.word(id)}}}`).join('\n')
}

function* functions(kit: Kit): Generator<string> {
  const { noun, other, sentence } = kit.sample
  yield [
    kit.call('if', noun, 'a', 'b'),
    kit.call('ifeq', noun, noun, 'a', 'b'),
    kit.call('ifexist', `${noun} 01`, 'a', 'b') +
      kit.call('ifexist', `${kit.ns(10)}:${noun}`, 'a', 'b') +
      kit.call('ifexist', other, 'a', 'b'),
    kit.call('ifexpr', '1 < 2', 'a', 'b'),
    kit.call('iferror', kit.call('expr', '1+'), 'a', 'b'),
    kit.call('switch', noun, `${other}=1`, `${noun}=2`, `${kit.word('default')}=3`),
    kit.call('switch', 'x', `${other}=1`, `${kit.all('default')[0] ?? '#default'}=3`),
    kit.call('titleparts', `${noun}/${other}/x`, '1', '2') + kit.call('rel2abs', '../x', `${noun}/${other}`),
  ].join('\n\n')
  yield ['len', 'pos', 'sub', 'replace', 'explode', 'count']
    .map((id) => `* ${kit.call(id, sentence, ' ', '1')}`)
    .join('\n')
  yield ['lc', 'uc', 'lcfirst', 'ucfirst']
    .map((id) => `* ${kit.call(id, sentence)} ${kit.call(id, noun)} ${kit.call(id, 'ıiİIßéÉ')}`)
    .join('\n')
  yield ['ns', 'nse']
    .map((id) => SHOWN_NAMESPACES.map((n) => `* ${kit.call(id, String(n))}`).join('\n'))
    .join('\n')
  yield ['ns']
    .map((id) =>
      [2, 6, 14]
        .flatMap((n) => kit.namesOf(n))
        .map((name) => `* ${kit.call(id, name)}`)
        .join('\n'),
    )
    .join('\n')
  yield ['urlencode', 'anchorencode', 'localurl', 'fullurl', 'filepath']
    .map((id) => `* ${kit.call(id, `${noun} ${other}`)}`)
    .join('\n')
  yield PAGE_VARIABLES.map(
    (id) => `* ${id}: {{${kit.word(id)}}} {{${kit.word(id)}:${kit.ns(3)}:${noun}/${other}}}`,
  ).join('\n')
  yield `${kit.call('tag', 'pre', sentence)} ${kit.call('tag', 'ref', noun)} <ref name="${noun}">${sentence}</ref> <ref name="${noun}" /> <ref group="${other}">x</ref>\n\n<references />\n<references group="${other}" />`
  yield `${kit.call('gender', 'male', 'm', 'f', 'u')} ${kit.call('gender', noun, 'm', 'f', 'u')} ${kit.call('gender', '', 'm', 'f')} ${['genitive', 'dative', 'prepositional', 'родительный', 'dativ', 'prefixed'].map((form) => kit.call('grammar', form, kit.sample.noun)).join(' ')} ${kit.call('grammar', 'genitive', '{{SITENAME}}')} ${kit.call('grammar', 'genitive', 'Википедия')}`
  yield `* ${kit.call('invoke', noun, 'main')}`
}

function* shape(kit: Kit): Generator<string> {
  const { noun, other, sentence } = kit.sample
  const headings = [1, 2, 3, 4]
    .map((n) => `== ${noun} ${n} ==\n${sentence}\n=== [[${other}]] '''${n}''' ===\n${sentence}`)
    .join('\n')
  yield headings
  yield `${kit.all('toc')[0] ?? ''}\n${headings}`
  for (const word of kit.all('forcetoc').slice(0, 2)) yield `${word}\n== ${noun} ==\nx`
  for (const id of SWITCHES) yield `${kit.all(id).join(' x ')} ${sentence}\n${id === 'notoc' ? headings : ''}`
  yield `${sentence}\n\n; ${noun} : ${other}\n: ${sentence}\n# ${noun}\n#* ${other}\n----\n{|\n|+ ${noun}\n! ${noun} !! ${other}\n|-\n| ${sentence} || 1\n|}`
  yield `<poem>${noun}\n  ${other}</poem> <nowiki>[[${noun}]]</nowiki> <pre>${sentence} {{${noun}}}</pre> <code>[[${other}]]</code> <bdi>${noun}</bdi> &rlm;&lrm; {{${kit.word('directionmark')}}} RFC 822 ISBN 978-3-16-148410-0`
  yield `${sentence} http://example.test/${noun} [http://example.test/${other} ${noun}] [http://example.test] [[${kit.special('Booksources')}/9783161484100]]`
}
