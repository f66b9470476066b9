/** `palimpsest cluster restore`: a log on a real PostgreSQL that has lost entries. */
// @module-tag cluster
import { describe, expect, test } from 'vitest'
import type { CommandResult } from '../support/command.js'
import { ClusterOfFile, cluster, command, said, stop } from '../support/clusterCommands.js'
import { postgresPrograms, whetherPostgres } from '../support/postgres.js'

describe.skipIf(postgresPrograms === undefined)(`a log on PostgreSQL${whetherPostgres}`, () => {
  const own = new ClusterOfFile()

  /** A node with the entries of some users, whose log can lose its end. */
  async function nodeWith(name: string, users: readonly string[]) {
    const [dataDir, log] = await own.founded(name)
    const create = (user: string): Promise<CommandResult> =>
      command(['user', 'create', user, '--data-dir', dataDir], log)
    for (const user of users) expect(await create(user)).toMatchObject({ status: 0 })
    const { out } = await cluster('status', dataDir, log, '--json')
    const { position } = JSON.parse(out) as { position: number }
    /** Removes the entries after a position. */
    const loseAfter = (last: number): Promise<unknown> =>
      own.sql(
        `delete from palimpsest.record where log = '${name}' and sequence > ${last};` +
          `update palimpsest.log set last = ${last} where name = '${name}'`,
      )
    const restore = (...more: string[]): Promise<CommandResult> => cluster('restore', dataDir, log, ...more)
    const status = (): Promise<CommandResult> => cluster('status', dataDir, log)
    return { dataDir, log, position, create, loseAfter, restore, status }
  }

  test('gets its tail back from a node, unless that node has cut it', async () => {
    const { dataDir, position, create, loseAfter, restore, status } = await nodeWith('lost', [
      'Ann',
      'Bob',
      'Cid',
    ])
    await loseAfter(position - 2)
    expect(await status()).toMatchObject({ status: 1, out: said(/lost entries/) })
    expect(await restore()).toMatchObject({ status: 1, err: said(/add --yes/) })
    expect(await restore('--yes')).toMatchObject({ status: 0, out: said(/put back 2 entries/) })
    expect(await status()).toMatchObject({ status: 0, out: said(/whole log/) })
    expect(await create('Dan')).toMatchObject({ status: 0 })

    // This node has cut what the log has lost.
    const end = position + 1
    await loseAfter(end - 2)
    expect(await command(['log', 'cut', '--before', String(end + 1), '--data-dir', dataDir])).toMatchObject({
      status: 0,
    })
    expect(await restore('--yes')).toMatchObject({ status: 1, err: said(/restore from another node/) })
  })

  test('stays as it is where somebody else wrote after the loss', async () => {
    const { dataDir, log, position, loseAfter, restore } = await nodeWith('taken', ['Ann', 'Bob', 'Cid'])
    await loseAfter(position - 1)
    await own.sql(
      `insert into palimpsest.record (log, sequence, id, bytes)
         select log, ${position}, '${'ab'.repeat(16)}'::uuid, bytes from palimpsest.record
         where log = 'taken' and sequence = ${position - 1};
       update palimpsest.log set last = ${position} where name = 'taken'`,
    )
    expect(await restore('--yes')).toMatchObject({ status: 1, err: said(/differ at entry/) })
    expect(await cluster('leave', dataDir, log, '--drop-log')).toMatchObject({ status: 0 })
    expect(await restore('--yes')).toMatchObject({ status: 1, err: said(/not a node/) })
  })

  test('gets back what it has lost before its end, and restarted nodes go on meanwhile', async () => {
    const { dataDir, log, position, create, restore, status } = await nodeWith('holes', ['Ann', 'Bob', 'Cid'])
    await own.sql(`delete from palimpsest.record where log = 'holes'`)
    expect(await create('Dan')).toMatchObject({ status: 0 })
    const { server, origin } = await own.serve(dataDir, log)
    const state = async (): Promise<unknown> => (await fetch(`${origin}/readyz?write`)).json()
    await expect
      .poll(state)
      .toMatchObject({ ready: true, cluster: { state: 'same', position: position + 1 } })
    const figures = async (): Promise<string> => (await fetch(`${origin}/metrics`)).text()
    expect(await figures()).toContain(`\npalimpsest_log_lost_entries 3\n`)
    await expect.poll(() => server.output.stderr).toContain('has lost entries that this node has')
    expect(await status()).toMatchObject({ status: 1, out: said(/cluster restore/) })
    expect(await restore('--yes')).toMatchObject({ status: 0, out: said(/put back 3 entries, from \d+ to/) })
    expect(await restore('--yes')).toMatchObject({ status: 0, out: said(/has all entries/) })
    expect(await status()).toMatchObject({ status: 0, out: said(/whole log/) })
    await expect.poll(figures).toContain(`\npalimpsest_log_lost_entries 0\n`)
    await stop({ server })
  })

  test('is made again from a node when it is gone', async () => {
    const { create, restore, status } = await nodeWith('gone', ['Ann'])
    await own.sql(
      "delete from palimpsest.record where log = 'gone'; delete from palimpsest.log where name = 'gone'",
    )
    expect(await status()).toMatchObject({ status: 1, out: said(/log is gone/) })
    const restored = await restore('--yes')
    expect(restored).toMatchObject({ status: 0, out: said(/was gone[^]*put back 1 entr/) })
    expect(await create('Bob')).toMatchObject({ status: 0 })
    expect(await status()).toMatchObject({ status: 0 })
  })
})
