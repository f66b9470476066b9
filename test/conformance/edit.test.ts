/** Create page and update page: what they answer, refuse, and do to the wiki. */
import { beforeAll, describe, expect, test } from 'vitest'
import { problems } from '../support/store.js'
import { create, pageOf, sendJson, startEmptyWiki, update } from './editing.js'
import { startProcess } from '../support/command.js'
import { type Answer, errorWith, send, type TestServer } from './garden.js'

let wiki: TestServer
let substituted = 0
beforeAll(async () => {
  wiki = await startEmptyWiki()
})

/** What the answer says went wrong. */
const refusal = ({ status, body }: Answer) => {
  const { actionModuleErrorCode: code, messageTranslations } = body as {
    actionModuleErrorCode?: string
    messageTranslations?: { en: string }
  }
  return [status, code, messageTranslations?.en]
}
const sourceOf = async (key: string) => pageOf(await wiki.send(`/v1/page/${key}`)).source
const comments = async (key: string) => {
  const { body } = await wiki.send(`/v1/page/${key}/history`)
  return (body as { revisions: { comment: string }[] }).revisions.map(({ comment }) => comment)
}

describe('POST /page', () => {
  test('answers 201 with the page, its source and where it is', async () => {
    const answer = await create(wiki, 'alpha  beta', 'Hello [[World]]\n\n\n')
    expect(answer.status).toBe(201)
    expect(answer.headers).toMatchObject({
      location: `${wiki.base}/v1/page/Alpha_beta`,
      'cache-control': 'private, max-age=0, s-maxage=0',
      expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
    })
    expect(answer.headers['etag']).toBeUndefined()
    expect(answer.body).toEqual({
      id: expect.any(Number) as number,
      key: 'Alpha_beta',
      title: 'Alpha beta',
      latest: {
        id: expect.any(Number) as number,
        timestamp: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
      },
      content_model: 'wikitext',
      license: { url: '', title: '' },
      source: 'Hello [[World]]',
    })
    expect(await sourceOf('Alpha_beta')).toBe('Hello [[World]]')
  })

  test.each([
    ['Talk:A/b', 'Talk:A%2Fb'],
    ["It's: 1+1@home?", 'It%27s:_1%2B1@home%3F'],
    ['Žluťoučký', '%C5%BDlu%C5%A5ou%C4%8Dk%C3%BD'],
  ])('writes the location of %s as MediaWiki does', async (title, location) => {
    expect((await create(wiki, title, 'x')).headers.location).toBe(`${wiki.base}/v1/page/${location}`)
  })

  test('refuses a page that exists, under any spelling of its title', async () => {
    await create(wiki, 'Taken page', 'x')
    for (const title of ['Taken page', 'taken_page', ' :Taken  page ', 'Taken page#part']) {
      expect(refusal(await create(wiki, title, 'y'))).toEqual([
        409,
        undefined,
        'The article you tried to create has been created already.',
      ])
    }
    expect(await sourceOf('Taken_page')).toBe('x')
  })

  test('drops a fragment of the title', async () => {
    expect(pageOf(await create(wiki, 'With fragment#part', 'x')).key).toBe('With_fragment')
  })

  test.each([
    [{ source: undefined }, 'source'],
    [{ source: null, title: undefined }, 'source'],
    [{ title: undefined, comment: undefined }, 'title'],
    [{ title: null }, 'title'],
    [{ comment: undefined }, 'comment'],
  ])('misses the field of %j', async (fields, name) => {
    const answer = await create(wiki, 'Never', 'x', fields)
    expect(refusal(answer)).toEqual([400, undefined, `Mandatory field "${name}" missing from request body.`])
  })

  test.each([
    [{ source: 1 }, 'source', 'a string'],
    [{ source: ['x'] }, 'source', 'a string'],
    [{ title: true }, 'title', 'a string'],
    [{ comment: {} }, 'comment', 'a string'],
    [{ content_model: 7 }, 'content_model', 'a string'],
    [{ token: 7 }, 'token', 'a string'],
  ])('never converts %j', async (fields, name, kind) => {
    const answer = await create(wiki, 'Never', 'x', fields)
    expect(answer.body).toEqual(
      errorWith(
        400,
        'rest-bad-body-field',
        `The field "${name}" of the request body must be ${kind}.`,
        'Bad Request',
      ),
    )
  })

  test.each([
    ['', 'invalidtitle', 'Bad title "".'],
    ['   ', 'invalidtitle', 'Bad title "&#32;  ".'],
    ['a|b', 'invalidtitle', 'Bad title "a&#124;b".'],
    ['<b>', 'invalidtitle', 'Bad title "&#60;b&#62;".'],
    ['[[x]]', 'invalidtitle', 'Bad title "&#91;&#91;x&#93;&#93;".'],
    ['{x', 'invalidtitle', 'Bad title "&#123;x".'],
    ['%41', 'invalidtitle', 'Bad title "%41".'],
    ['~~~', 'invalidtitle', 'Bad title "~~~".'],
    ['a/../b', 'invalidtitle', 'Bad title "a/../b".'],
    ['Talk:', 'invalidtitle', 'Bad title "Talk:".'],
    ['::x', 'invalidtitle', 'Bad title "&#58;:x".'],
    ['A&lt;b', 'invalidtitle', 'Bad title "A&#38;lt&#59;b".'],
    ['Special:Version', 'pagecannotexist', "Namespace doesn't allow actual pages."],
    ['Media:X.png', 'pagecannotexist', "Namespace doesn't allow actual pages."],
    ['#', 'pagecannotexist', "Namespace doesn't allow actual pages."],
  ])('refuses the title %j', async (title, code, text) => {
    expect(refusal(await create(wiki, title, 'x'))).toEqual([400, code, text])
  })

  test('takes a title of 255 bytes and none of 256', async () => {
    expect((await create(wiki, 't'.repeat(255), 'x')).status).toBe(201)
    expect((await create(wiki, 't'.repeat(256), 'x')).status).toBe(400)
  })

  test('takes a text of exactly 2 MiB and none that is longer by a byte', { tags: ['slow'] }, async () => {
    const full = 'ü'.repeat(2 ** 20)
    const answer = await create(wiki, 'Full page', full)
    expect(answer.status).toBe(201)
    expect(pageOf(answer).source === full).toBe(true)
    expect(refusal(await create(wiki, 'Too full page', `${full}x`))).toEqual([
      400,
      'contenttoobig',
      'The content you supplied exceeds the article size limit of 2048 kibibytes.',
    ])
  })

  test('takes an empty text', async () => {
    const answer = await create(wiki, 'Empty page', '')
    expect([answer.status, pageOf(answer).source]).toEqual([201, ''])
  })

  test('stores text as MediaWiki does: line ends, NFC, control characters, white space at the end', async () => {
    const answer = await create(wiki, 'Normal form', 'a\r\nb\rc\0d e\u0301\x7f \t\n ')
    expect(pageOf(answer).source).toBe('a\nb\nc\ufffdd \u00e9\x7f')
  })

  test('signs with the address of an anonymous editor', async () => {
    const { source } = pageOf(await create(wiki, 'Talk:Signed', 'Yes. ~~~~ <nowiki>~~~~</nowiki>'))
    const time = String.raw`\d\d:\d\d, \d+ \w+ 20\d\d \(UTC\)`
    expect(source).toMatch(
      new RegExp(
        String.raw`^Yes\. \[\[Special:Contributions/127\.0\.0\.1\|127\.0\.0\.1\]\] ${time} <nowiki>~~~~</nowiki>$`,
      ),
    )
  })

  test('puts in templates with subst', async () => {
    await create(wiki, 'Template:Greet', 'Hello {{{1|world}}}!<noinclude> docs</noinclude>')
    expect(pageOf(await create(wiki, 'Greeted', '{{subst:greet|Ann}} {{greet}}')).source).toBe(
      'Hello Ann! {{greet}}',
    )
  })
})

describe('substitution', () => {
  beforeAll(async () => {
    const pages = {
      'Template:Box': '<div>{{{1|none}}}</div><noinclude>docs</noinclude>',
      'Template:Yes or no': '{{<includeonly>safesubst:</includeonly>#if:{{{1|}}}|yes|no}}',
      'Template:Wrapped':
        '{{{{{|safesubst:}}}box|{{<includeonly>safesubst:</includeonly>uc:{{{1}}}}}}} {{box|{{{1}}}}}',
      'Template:Alias': '#REDIRECT [[Template:Box]]',
      'Template:Signed': '-- ~~~~~',
      'Template:Self': 'a {{safesubst:self}}',
      'Template:B0': 'x'.repeat(100),
      ...Object.fromEntries(
        [1, 2, 3, 4, 5, 6].map((n) => [`Template:B${n}`, `{{safesubst:b${n - 1}|{{{1}}}}}`.repeat(10)]),
      ),
    }
    for (const [title, text] of Object.entries(pages)) await create(wiki, title, text)
  })

  test.each([
    ['a conditional', '{{subst:#if:x|then|else}} {{subst:#if:|then|else}}', 'then else'],
    ['arithmetic', '{{subst:#expr: 6*7 }}', '42'],
    ['a choice', '{{subst:#switch:b|a=1|b=2|3}}', '2'],
    ['a word', '{{subst:ucfirst:moon}} {{subst:lc:ABC}}', 'Moon abc'],
    [
      'the page and its editor',
      '{{subst:#titleparts:{{subst:PAGENAME}}|1}} {{subst:REVISIONUSER}}',
      'Substituted 127.0.0.1',
    ],
    ['a template with arguments', '{{subst:box|[[a|b]] {{c}}}}', '<div>[[a|b]] {{c}}</div>'],
    ['a template without', '{{subst:box}}', '<div>none</div>'],
    ['a redirect to one', '{{subst:alias|x}}', '<div>x</div>'],
    ['one in the arguments of another', '{{subst:box|{{subst:box|x}}}}', '<div><div>x</div></div>'],
    ['one in a template that stays', '{{box|{{subst:box|x}}}}', '{{box|<div>x</div>}}'],
    ['templates within, where they are marked', '{{subst:wrapped|x}}', '<div>X</div> {{box|x}}'],
    ['safe ones', '{{safesubst:yes or no|1}} {{subst:yes or no}} {{yes or no}}', 'yes no {{yes or no}}'],
    ['the existence of a page', '{{subst:#ifexist:Template:Box|is|is not}}', 'is'],
    ['nothing in what is literal', '<nowiki>{{subst:box}}</nowiki><!-- {{subst:box}} -->.', undefined],
    ['nothing where there is no such page', '{{subst:nope| a | b = c }}', undefined],
    ['nothing of a template that puts itself in', 'a {{subst:self}} {{subst:box}}', undefined],
    ['nothing when it grows beyond a limit', 'a {{subst:b6|x}} {{subst:box}}', undefined],
    ['nothing when braces are too deep', '{{subst:#if:x|'.repeat(200) + 'y' + '}}'.repeat(200), undefined],
  ])('puts in %s', async (_case, text, expected) => {
    const answer = await create(wiki, `Substituted/${++substituted}`, text)
    expect(answer.status).toBe(201)
    expect(pageOf(answer).source).toBe(expected ?? text)
  })

  test('comes before signatures', async () => {
    const { source } = pageOf(await create(wiki, 'Substituted signature', '{{subst:signed}}'))
    expect(source).toMatch(/^-- \d\d:\d\d, \d+ \w+ 20\d\d \(UTC\)$/)
  })

  test('is done once more on what a merge gives, on top of a changed page', async () => {
    const page = pageOf(await create(wiki, 'Substituted merge', 'one\n\ntwo\n\nthree'))
    await update(wiki, 'Substituted_merge', 'ONE\n\ntwo\n\nthree', page.latest.id)
    const text = 'one\n\ntwo\n\n{{subst:uc:three}}'
    const { source } = pageOf(await update(wiki, 'Substituted_merge', text, page.latest.id))
    expect(source).toBe('ONE\n\ntwo\n\nTHREE')
  })
})

describe('the summary of an edit', () => {
  test.each([
    ['as it was written', '  tidy\nup ', 'tidy\nup'],
    ['cut at 500 letters', 'é'.repeat(501), `${'é'.repeat(497)}...`],
    ['written by the server when empty', '', 'Created page with "Some text"'],
    ['written by the server when null', null, 'Created page with "Some text"'],
  ])('is kept %s', async (how, comment, kept) => {
    const { key } = pageOf(await create(wiki, `Summary ${how}`, 'Some text', { comment }))
    expect(await comments(key)).toEqual([kept])
  })

  test('tells of blanking and of redirects', async () => {
    const texts = ['#REDIRECT [[One]]', '#REDIRECT [[Two]]', 'a text', '', 'again']
    let page = pageOf(await create(wiki, 'Moving target', texts[0]))
    for (const text of texts.slice(1))
      page = pageOf(await update(wiki, 'Moving_target', text, page.latest.id))
    expect((await comments('Moving_target')).reverse()).toEqual([
      'Redirected page to [[One]]',
      'Changed redirect target from [[One]] to [[Two]]',
      'Removed redirect to [[Two]]',
      'Blanked the page',
      '',
    ])
  })
})

describe('content models', () => {
  test('are those that MediaWiki gives a title', async () => {
    const made = await create(wiki, 'User:127.0.0.1/notes.txt', 'x')
    expect(pageOf(made).content_model).toBe('wikitext')
  })

  test('that are unknown are refused before the token is looked at', async () => {
    const answer = await create(wiki, 'Never', 'x', { content_model: 'nope', token: undefined })
    expect(refusal(answer)).toEqual([400, undefined, 'Bad content model: nope'])
  })

  test('other than the default of the title need a right', async () => {
    expect(refusal(await create(wiki, 'Never', '{}', { content_model: 'json' }))).toEqual([
      400,
      'cantchangecontentmodel',
      "You don't have permission to change the content model of a page.",
    ])
  })

  test('may be stated as what they are, or be empty', async () => {
    for (const content_model of ['wikitext', '', null]) {
      expect((await create(wiki, `Model ${content_model}`, 'x', { content_model })).status).toBe(201)
    }
  })
})

describe('pages that anonymous editors may not save', () => {
  test.each([
    ['MediaWiki:Sidebar', 'protectednamespace-interface'],
    ['User:Ann/common.js', 'customjsprotected'],
    ['User:Ann/common.css', 'customcssprotected'],
    ['User:Ann/data.json', 'customjsonprotected'],
    ['User:127.0.0.1/common.js', 'mycustomjsprotected'],
    ['User:127.0.0.1/data.json', 'mycustomjsonprotected'],
  ])('%s', async (title, code) => {
    const source = title.endsWith('.json') ? '{}' : 'x'
    expect(refusal(await create(wiki, title, source)).slice(0, 2)).toEqual([400, code])
    expect((await wiki.send(`/v1/page/${encodeURIComponent(title)}`)).status).toBe(404)
  })
})

describe('PUT /page/{title}', () => {
  test('creates a page when no base is given', async () => {
    const answer = await update(wiki, 'Put_in', 'one')
    expect(answer.status).toBe(201)
    expect(answer.headers.location).toBeUndefined()
    expect(pageOf(answer)).toMatchObject({ key: 'Put_in', source: 'one' })
  })

  test.each([[undefined], [{ id: 7 }]])(
    'refuses the title of another wiki, with latest %j',
    async (latest) => {
      const answer = await update(wiki, 'wikipedia:Moon', 'x', undefined, { latest })
      expect(refusal(answer)).toEqual([400, 'invalidtitle', 'Bad title "wikipedia:Moon".'])
    },
  )

  test.each([[{}], [null], [{ id: null }], [{ id: 0 }], [{ id: -5 }], [{ id: '0' }]])(
    'takes latest %j as no base, and refuses a page that exists',
    async (latest) => {
      await update(wiki, 'Put_exists', 'one')
      expect(refusal(await update(wiki, 'put%20exists', 'two', undefined, { latest }))).toEqual([
        409,
        undefined,
        'The page "put exists" cannot be created since it already exists. To update the existing page, provide the base revision ID in the structure under "latest" key in the request body.',
      ])
    },
  )

  test.each([
    [{ latest: 7 }, 'latest', 'an object'],
    [{ latest: 'x' }, 'latest', 'an object'],
    [{ latest: [] }, 'latest', 'an object'],
    [{ latest: { id: true } }, 'latest.id', 'an integer'],
    [{ latest: { id: {} } }, 'latest.id', 'an integer'],
  ])('never converts %j', async (fields, name, kind) => {
    const answer = await update(wiki, 'Never', 'x', undefined, fields)
    expect(refusal(answer)).toEqual([
      400,
      undefined,
      `The field "${name}" of the request body must be ${kind}.`,
    ])
  })

  test.each(['abc', '1.5', 1.5, 1e30, '', ' 1'])('refuses the base %j', async (id) => {
    expect(refusal(await update(wiki, 'Never', 'x', id))).toEqual([
      400,
      'badinteger',
      `Invalid value "${id}" for integer parameter "baserevid".`,
    ])
  })

  test('saves on top of the latest revision, given as a number or as digits', async () => {
    const first = pageOf(await update(wiki, 'Grows', 'one'))
    const second = await update(wiki, 'Grows', 'two', first.latest.id)
    expect(second.status).toBe(200)
    const third = await update(wiki, 'Grows', 'three', `+${pageOf(second).latest.id}`)
    expect(third.status).toBe(200)
    expect(pageOf(third).source).toBe('three')
    const { body } = await wiki.send('/v1/page/Grows/history')
    expect(body).toMatchObject({
      revisions: [
        { id: pageOf(third).latest.id, size: 5, delta: 2, user: { id: null, name: '127.0.0.1' } },
        { id: pageOf(second).latest.id, size: 3, delta: 0 },
        { id: first.latest.id, delta: null },
      ],
    })
  })

  test('makes no revision of the text that is there, whatever the base', async () => {
    const first = pageOf(await update(wiki, 'Null_edit', 'one'))
    const second = pageOf(await update(wiki, 'Null_edit', 'two', first.latest.id))
    for (const [base, source] of [
      [second.latest.id, 'two'],
      [first.latest.id, 'two'],
      [first.latest.id, 'one'],
      [second.latest.id, 'two \n\n'],
      [999_999, 'two'],
    ] as const) {
      const answer = await update(wiki, 'Null_edit', source, base)
      expect(answer.status).toBe(200)
      expect(pageOf(answer)).toMatchObject({ latest: second.latest, source: 'two' })
    }
    expect(await comments('Null_edit')).toHaveLength(2)
  })

  test('merges changes that stand apart, and answers the merged text', async () => {
    const first = pageOf(await update(wiki, 'Merged', 'a\nb\nc\nd\ne'))
    await update(wiki, 'Merged', 'A\nb\nc\nd\ne', first.latest.id)
    const merged = await update(wiki, 'Merged', 'a\nb\nc\nd\nE', first.latest.id)
    expect([merged.status, pageOf(merged).source]).toEqual([200, 'A\nb\nc\nd\nE'])
    expect(await sourceOf('Merged')).toBe('A\nb\nc\nd\nE')
  })

  test.each([
    ['the same line', 'a\nX\nc', 'a\nY\nc'],
    ['neighbouring lines', 'X\nb\nc', 'a\nY\nc'],
  ])('refuses changes to %s, with both sets of changes', async (what, theirs, mine) => {
    const key = `Conflict_${what.replaceAll(' ', '_')}`
    const base = pageOf(await update(wiki, key, 'a\nb\nc')).latest.id
    const current = pageOf(await update(wiki, key, theirs, base)).latest.id
    const { status, body } = await update(wiki, key, mine, base)
    expect(status).toBe(409)
    const compared = await wiki.send(`/v1/revision/${base}/compare/${current}`)
    expect(body).toEqual({
      base,
      current,
      local: { diff: expect.arrayContaining([expect.objectContaining({ lineNumber: 2 })]) as unknown },
      remote: { diff: (compared.body as { diff: unknown }).diff },
      ...errorWith(409, 'apierror-editconflict', 'Edit conflict.', 'Conflict'),
    })
    expect(await sourceOf(key)).toBe(theirs)
  })

  test('compares with the text as it was sent', async () => {
    const base = pageOf(await update(wiki, 'Conflict_sent', 'line one')).latest.id
    await update(wiki, 'Conflict_sent', 'line', base)
    const { body } = await update(wiki, 'Conflict_sent', 'line one local', base)
    expect((body as { local: unknown }).local).toEqual({
      diff: [
        {
          type: 3,
          lineNumber: 1,
          text: 'line one local',
          offset: { from: 0, to: 0 },
          highlightRanges: [{ start: 8, length: 6, type: 0 }],
        },
      ],
    })
  })

  test('is in conflict with a base that is unknown', async () => {
    await update(wiki, 'Unknown_base', 'one')
    expect((await update(wiki, 'Unknown_base', 'two', 999_999_999)).body).toEqual(
      errorWith(409, 'apierror-editconflict', 'Edit conflict.', 'Conflict'),
    )
  })

  test('is in conflict with a base of another page, even where the texts could be merged', async () => {
    const other = pageOf(await update(wiki, 'Base_elsewhere', 'same')).latest.id
    const current = pageOf(await update(wiki, 'Base_here', 'same')).latest.id
    const { status, body } = await update(wiki, 'Base_here', 'new', other)
    expect(status).toBe(409)
    expect(body).toMatchObject({ base: other, current, remote: { diff: [] } })
    expect(await sourceOf('Base_here')).toBe('same')
  })

  test('does not find a page that is not there', async () => {
    expect(refusal(await update(wiki, 'Not_there', 'x', 1))).toEqual([
      404,
      undefined,
      "The page you specified doesn't exist.",
    ])
  })

  test('refuses a title that no page can have, as it stands in the path', async () => {
    expect(refusal(await update(wiki, 'a%7Cb', 'x'))).toEqual([400, 'invalidtitle', 'Bad title "a&#124;b".'])
  })

  test('folds a decomposed title to its composed form', async () => {
    expect(pageOf(await update(wiki, 'Cafe%CC%81', 'x')).key).toBe('Café')
  })

  test.each([
    [{ 'if-match': '"other"' }, 412],
    [{ 'if-none-match': '*' }, 201],
    [{ 'if-unmodified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' }, 201],
  ])('judges %j', async (headers, status) => {
    const body = { source: 'x', comment: '', token: '+\\' }
    const path = `/v1/page/${encodeURIComponent(Object.keys(headers).join())}`
    expect((await sendJson(wiki, 'PUT', path, body, headers)).status).toBe(status)
  })
})

describe('the token of an anonymous editor', () => {
  test.each([undefined, null, ''])('%j is missing', async (token) => {
    expect(refusal(await create(wiki, 'Never', 'x', { token }))).toEqual([
      400,
      'missingparam',
      'The "token" parameter must be set.',
    ])
  })

  test.each(['wrong', '+', '+\\ '])('%j is wrong', async (token) => {
    expect(refusal(await create(wiki, 'Never', 'x', { token }))).toEqual([
      403,
      undefined,
      'Invalid CSRF token.',
    ])
  })
})

describe('edits and reads', () => {
  test('an edit shows at every endpoint, in every process, when its answer has come', async () => {
    const { dataDir } = wiki.app.context.config
    const ports = [wiki.port, await startProcess(dataDir)]
    let base: number | undefined
    for (let n = 0; n < 30; n++) {
      const page = pageOf(await update(wiki, 'Fresh', `text ${n}`, base))
      for (const port of ports) {
        const get = async (path: string) => (await send(port, path, {})).body
        expect(await get('/v1/page/Fresh')).toMatchObject({ latest: page.latest, source: `text ${n}` })
        expect(await get('/v1/page/Fresh/history')).toHaveProperty('revisions.0.id', page.latest.id)
        expect(await get('/v1/page/Fresh/history/counts/edits')).toMatchObject({ count: n + 1 })
        expect(await get(`/v1/revision/${page.latest.id}/bare`)).toMatchObject({ id: page.latest.id })
      }
      base = page.latest.id
    }
  })

  test('twenty editors at once who each add a line to one page all get in', { tags: ['slow'] }, async () => {
    const lines = Array.from({ length: 41 }, (_, n) => `line ${n}`)
    const base = pageOf(await update(wiki, 'Busy', lines.join('\n'))).latest.id
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        update(wiki, 'Busy', lines.with(2 * n, `changed by ${n}`).join('\n'), base),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    const merged = (await sourceOf('Busy')).split('\n')
    for (let n = 0; n < 20; n++) expect(merged[2 * n]).toBe(`changed by ${n}`)
    const counted = await wiki.send('/v1/page/Busy/history/counts/edits')
    expect(counted.body).toEqual({ count: 21, limit: false })
  })

  test('of many who create one page, exactly one does', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => create(wiki, 'Race', `by ${n}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  })

  test('leave a store in which nothing is wrong', () => {
    const { store } = wiki.app.context
    store.refresh()
    expect(problems(store)).toEqual([])
  })
})
