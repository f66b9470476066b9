/** The commands for accounts, tokens, protection and hiding, as people run them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { Passwords } from '../../src/auth/passwords.js'
import { findTokenOwner } from '../../src/auth/tokens.js'
import { getUserByName } from '../../src/storage/accounts/accounts.js'
import { getProtection } from '../../src/storage/pages/protections.js'
import { folderOfFile } from '../support/cleanUp.js'
import { type CommandResult, runHosted } from '../support/command.js'
import { dumpXml } from '../support/dump.js'
import { history, importInto, openFolder, problems, temporaryFolder } from '../support/store.js'

const NOW = Math.floor(Date.now() / 1000)

/** A folder, new and without a store unless one is given, and the commands that work on it. */
function wiki(folder = temporaryFolder()) {
  const run = (...parts: string[]): CommandResult => runHosted([...parts, '--data-dir', folder])
  const runWith = (input: string, ...parts: string[]): CommandResult =>
    runHosted([...parts, '--data-dir', folder], input)
  return { folder, run, runWith }
}

async function importedWiki(folder?: string) {
  const opened = wiki(folder)
  const dump = join(opened.folder, 'moon.xml')
  const revisions = [
    { id: 1, text: 'a', comment: 'first' },
    { id: 2, text: 'a b' },
  ]
  writeFileSync(dump, dumpXml([{ id: 1, title: 'Moon', revisions }]))
  expect((await importInto(opened.folder, [dump])).error).toBeUndefined()
  return opened
}

/** A wiki with the account Ann, and with the page Moon: for what is refused, which changes nothing. */
let unchanged: ReturnType<typeof wiki>
beforeAll(async () => {
  unchanged = await importedWiki(folderOfFile())
  unchanged.run('user', 'create', 'Ann')
})

describe('palimpsest user', () => {
  test('makes accounts, with and without a password, and lists them', async () => {
    const { folder, run, runWith } = wiki()
    expect(run('user', 'create', 'ann_of the_North')).toEqual({
      status: 0,
      out: 'user 1: Ann of the North\n',
      err: '',
    })
    const create = ['user', 'create', 'Ben', '--password-stdin', '--group', 'sysop', 'bot']
    expect(runWith('open sesame\nmore', ...create)).toMatchObject({ status: 0, out: 'user 2: Ben\n' })
    expect(run('user', 'list').out).toMatch(
      /^id {2}name +groups +password {2}registered\n1 {3}Ann of the North +no +20\S+Z\n2 {3}Ben +bot sysop +yes +20\S+Z\n$/,
    )
    const { tables } = openFolder(folder)
    const stored = getUserByName(tables, 'Ben')?.passwordHash
    expect(await new Passwords().matches('open sesame', stored)).toBe(true)
  })

  test('changes password and groups', async () => {
    const { folder, run, runWith } = wiki()
    run('user', 'create', 'Ann')
    expect(runWith('another one\n', 'user', 'password', 'ann').out).toBe('user 1: Ann has a new password\n')
    expect(run('user', 'groups', 'Ann', 'sysop', 'bot').out).toBe('user 1: Ann is in bot, sysop\n')
    expect(run('user', 'groups', 'Ann').out).toBe('user 1: Ann is in no group\n')
    const store = openFolder(folder)
    const user = getUserByName(store.tables, 'Ann')
    expect(user?.groups).toEqual([])
    expect(await new Passwords().matches('another one', user?.passwordHash)).toBe(true)
    expect(run('user', 'password', 'Ann', '--remove').out).toBe('user 1: Ann has no password\n')
    store.refresh()
    expect(getUserByName(store.tables, 'Ann')?.passwordHash).toBeNull()
    expect(problems(store)).toEqual([])
  })

  test.each<[string, string[], string, RegExp]>([
    [
      'a name that none can have',
      ['create', '192.0.2.1'],
      '',
      /"192\.0\.2\.1" is not a valid name for an account/,
    ],
    ['a name that is taken', ['create', 'ann'], '', /the account Ann exists already/],
    ['a short password', ['create', 'Ben', '--password-stdin'], 'short', /a password has at least 8 letters/],
    ['no password', ['password', 'Ann'], '', /a password has at least 8 letters/],
    [
      'an unknown account',
      ['groups', 'Ben', 'bot'],
      '',
      /there is no account "Ben": "palimpsest user list" lists all/,
    ],
    ['an unknown group', ['groups', 'Ann', 'kings'], '', /There is no such group\. Groups: bot, sysop/],
  ])('refuses %s', (_case, parts, input, message) => {
    const { status, out, err } = unchanged.runWith(input, 'user', ...parts)
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toMatch(message)
  })
})

describe('palimpsest token', () => {
  test('prints a secret once, lists tokens without it, and revokes them', () => {
    const { folder, run } = wiki()
    run('user', 'create', 'Ann')
    const { out } = run(
      'token',
      'create',
      '--user',
      'Ann',
      '--scope',
      'write',
      '--expires',
      '90d',
      '--name',
      'ci',
    )
    expect(out).toMatch(/^plmp_1_[\w-]{43}\n$/)
    const store = openFolder(folder)
    const owner = (now: number) => findTokenOwner(store.accounts, out.trim(), now)
    expect(owner(NOW)).toMatchObject({ user: { name: 'Ann' }, scopes: ['write'] })
    expect(owner(NOW + 91 * 86_400)).toBeUndefined()
    const list = run('token', 'list').out
    expect(list).toMatch(/\n1 {3}Ann {3}write {3}20\S+Z {2}20\S+Z {2}ci\n$/)
    expect(list).not.toContain(out.trim().slice(8))
    expect(run('token', 'revoke', '1').out).toBe('token 1 is revoked\n')
    store.refresh()
    expect(owner(NOW)).toBeUndefined()
    expect(run('token', 'revoke', '1').err).toBe(
      'palimpsest: there is no token 1: "palimpsest token list" lists all\n',
    )
  })

  test.each<[string, string[], RegExp]>([
    ['no account', ['create'], /required option '--user <name>' not specified/],
    ['an unknown account', ['create', '--user', 'Ben'], /there is no account "Ben"/],
    ['an unknown scope', ['create', '--user', 'Ann', '--scope', 'rule'], /A scope is one of read, write/],
    ['an end that is over', ['create', '--user', 'Ann', '--expires', '2001-01-01'], /It has passed already/],
    [
      'an end that is none',
      ['create', '--user', 'Ann', '--expires', 'soon'],
      /It must be a time from now such as 30m/,
    ],
    ['a number that is none', ['revoke', 'x'], /It must be a whole number/],
  ])('refuses %s', (_case, parts, message) => {
    const { status, err } = unchanged.run('token', ...parts)
    expect(status).toBe(1)
    expect(err).toMatch(message)
  })
})

describe('palimpsest page', () => {
  test('protects titles and frees them again', async () => {
    const { folder, run } = await importedWiki()
    expect(run('page', 'protect', 'talk:moon_base', '--edit', 'sysop', '--create', 'user').out).toBe(
      'Talk:Moon base: edit sysop, create user, expires never\n',
    )
    const store = openFolder(folder)
    const protection = () => getProtection(store.tables, [1, 'Moon_base'], NOW)
    expect(protection()).toEqual({ edit: 'sysop', create: 'user', expires: null })
    const later = ['--edit', 'user', '--expires', '2099-01-01']
    expect(run('page', 'protect', 'Talk:Moon base', ...later).out).toBe(
      'Talk:Moon base: edit user, create user, expires 2099-01-01T00:00:00Z\n',
    )
    // The end of a protection stays until another is named.
    expect(run('page', 'protect', 'Talk:Moon base', '--create', 'none').out).toContain('expires 2099')
    run('page', 'unprotect', 'Talk:Moon base')
    store.refresh()
    expect(protection()).toEqual({ edit: 'none', create: 'none', expires: null })
    expect(problems(store)).toEqual([])
  })

  test.each<[string, string[], RegExp]>([
    ['no level', ['protect', 'Moon'], /name --edit, --create or both/],
    ['an unknown level', ['protect', 'Moon', '--edit', 'kings'], /Allowed choices are none, user, sysop/],
    ['what is no title', ['protect', 'a|b', '--edit', 'user'], /"a\|b" is not the title of a page/],
    ['a namespace alone', ['unprotect', 'Talk:'], /"Talk:" is not the title of a page/],
  ])('refuses %s', (_case, parts, message) => {
    const { status, err } = unchanged.run('page', ...parts)
    expect(status).toBe(1)
    expect(err).toMatch(message)
  })
})

describe('palimpsest revision', () => {
  test('hides parts of a revision and shows them again', async () => {
    const { folder, run } = await importedWiki()
    expect(run('revision', 'hide', '1', '--text', '--comment', '--user').out).toBe(
      'revision 1: hidden: text, comment, user\n',
    )
    const store = openFolder(folder)
    expect(history(store, 1)[0]).toMatchObject({ comment: null, user: null })
    expect(store.getText(1)).toBeUndefined()
    expect(run('revision', 'show', '1', '--text', '--user').out).toBe('revision 1: hidden: comment\n')
    expect(run('revision', 'show', '1', '--comment').out).toBe('revision 1: hidden: nothing\n')
    store.refresh()
    expect(history(store, 1)[0]).toMatchObject({ comment: 'first', user: { id: 1, name: 'Ann' } })
    expect(store.getText(1)).toBe('a')
    expect(problems(store)).toEqual([])
  })

  test.each<[string, string[], RegExp]>([
    [
      'the text of the latest revision',
      ['hide', '2', '--text'],
      /revision 2 is the latest of its page, so its text/,
    ],
    ['an unknown revision', ['hide', '77', '--user'], /there is no revision 77/],
    ['no part', ['hide', '1'], /name --text, --comment, --user, or several/],
    ['an id that is none', ['hide', '0', '--text'], /It must be the id of a revision/],
  ])('refuses %s', (_case, parts, message) => {
    const { status, err } = unchanged.run('revision', ...parts)
    expect(status).toBe(1)
    expect(err).toMatch(message)
  })
})

test.each(['user', 'token', 'page', 'revision'])('palimpsest %s --help lists what it does', (name) => {
  const { status, out } = runHosted([name, '--help'])
  expect(status).toBe(0)
  expect(out).toMatch(/\nCommands:\n {2}\w+ .*\n/)
})
