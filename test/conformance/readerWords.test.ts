/** Pages for readers in the words of the wiki: those that its pages of the namespace MediaWiki have. */
import { beforeAll, expect, test } from 'vitest'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { folderWith, page, revision } from './busyWiki.js'
import { startServer, type TestServer } from './garden.js'

const WORDS = {
  'History-title': '«$1»: история изменений',
  Cur: 'текущ.',
  Last: 'пред.',
  Compareselectedversions: 'Сравнить выбранные версии',
  Whatlinkshere: 'Ссылки сюда',
  'Whatlinkshere-title': 'Страницы, ссылающиеся на «$1»',
  Editing: 'Редактирование: $1',
  Showpreview: 'Предпросмотр',
  Redirectedfrom: '(перенаправлено с «$1»)',
  Contribslink: 'вклад <b>',
  Diff: '{{subst:разн}}',
  Talkpagelinktext: 'обсуждение',
  'Pageinfo-title': 'Сведения без названия',
}

let server: TestServer
beforeAll(async () => {
  const names = Object.entries(WORDS)
  const pages = [
    page(1, 'Луна', [revision(1, 'Луна светит.')]),
    page(2, 'Месяц', [revision(2, '#REDIRECT [[Луна]]')]),
    ...names.map(([name, text], n) => ({
      ...page(10 + n, name, [revision(10 + n, text)]),
      namespace: 8,
    })),
  ]
  const dataDir = await folderWith(pages, { site: { ...DEFAULT_SITE, language: 'ru' } })
  server = await startServer(dataDir, { anonymousEdits: true })
})

const shown = async (path: string): Promise<string> => (await server.send(encodeURI(path))).bytes.toString()

test.each([
  [
    'Луна?action=history',
    '<h1 dir="auto"><span lang="ru" dir="auto">«<bdi>Луна</bdi>»: история изменений</span></h1>',
  ],
  ['Луна?action=history', '<title>«Луна»: история изменений – '],
  ['Луна?action=history', '<span lang="ru" dir="auto">пред.</span>'],
  ['Луна', '><span lang="ru" dir="auto">Ссылки сюда</span></a>'],
  ['Special:WhatLinksHere/Луна', '<title>Страницы, ссылающиеся на «Луна» – '],
  ['Луна?action=edit', 'Редактирование: <bdi>Луна</bdi>'],
  ['Луна?action=edit', '<span lang="ru" dir="auto">Предпросмотр</span>'],
  ['Special:RecentChanges', '<span lang="ru" dir="auto">обсуждение</span>'],
])('%s', async (path, text) => {
  expect(await shown(`/wiki/${path}`)).toContain(text)
})

test('pages with markup, and those without the value of their message, do not count', async () => {
  const list = await shown('/wiki/Special:RecentChanges')
  expect(list).toContain('>contribs</a>')
  expect(list).not.toContain('разн')
  expect(await shown('/wiki/Луна?action=info')).toContain('Information about <bdi>Луна</bdi>')
})
