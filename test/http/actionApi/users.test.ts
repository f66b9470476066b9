/** `list=allusers` with groups, in a wiki of many accounts. */
import { expect, test } from 'vitest'
import type { Entry } from '../../../src/storage/entries/entries.js'
import { startServer } from '../../conformance/garden.js'
import { folderForWriters, NOW } from '../../conformance/signedIn.js'
import { Client } from '../../conformance/actionClient.js'

const ACCOUNTS = 900

test('members of groups are found among all accounts, in the order of their names', async () => {
  const folder = await folderForWriters((applier) => {
    const entries = Array.from({ length: ACCOUNTS }, (_, n): Entry => ({
      kind: 'user',
      action: 'create',
      id: n.toString(16).padStart(32, '0'),
      time: NOW,
      name: `User ${String(ACCOUNTS - n).padStart(4, '0')}`,
      passwordHash: null,
      groups: n % 100 === 0 ? ['sysop'] : n % 150 === 1 ? ['bot'] : [],
    }))
    applier.submitAll(entries)
  })
  const client = new Client(await startServer(folder), '/api.php', { format: 'json', formatversion: '2' })
  const namesOf = async (fields: Record<string, string>): Promise<string[]> => {
    const { query } = await client.get({ action: 'query', list: 'allusers', aulimit: 'max', ...fields })
    return (query as { allusers: { name: string }[] }).allusers.map(({ name }) => name)
  }
  const sysops = Array.from({ length: 9 }, (_, n) => `User ${String(100 * (n + 1)).padStart(4, '0')}`)
  expect(await namesOf({ augroup: 'sysop' })).toEqual(sysops)
  expect(await namesOf({ augroup: 'sysop', audir: 'descending' })).toEqual(sysops.toReversed())
  expect(await namesOf({ augroup: 'sysop|bot', aufrom: 'User 0500' })).toEqual(
    [
      'User 0500',
      'User 0600',
      'User 0700',
      'User 0800',
      'User 0900',
      'User 0599',
      'User 0749',
      'User 0899',
    ].sort(),
  )
})

test('a user whose id no account can have is missing', async () => {
  const client = new Client(await startServer(await folderForWriters()), '/api.php', {
    format: 'json',
    formatversion: '2',
  })
  const { query } = await client.get({
    action: 'query',
    list: 'users',
    ususerids: '-1|0|4294967295|4294967296',
  })
  expect(query).toEqual({
    users: [-1, 0, 4294967295, 4294967296].map((userid) => ({ userid, missing: true })),
  })
})
