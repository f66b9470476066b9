/** A mirror of a mirror of a recorded wiki: all end with its state. Skipped where the recording is absent. */
// @module-tag slow
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Store } from '../../src/storage/store.js'
import { verifyStore } from '../../src/storage/verify/verify.js'
import { folderOfFile } from '../support/cleanUp.js'
import { run, startProcess } from '../support/command.js'
import { comparable, stateOf } from '../support/mirrorState.js'
import { expectedOf, openRecording, RECORDING } from '../support/replay.js'
import { describeShared } from '../support/shared.js'
import { UpstreamServer } from '../support/upstreamServer.js'

const LENGTH = 3
/** Steps at which all mirrors follow, so that each sees some changes of every kind. */
const EVERY = 10

async function follow(dataDir: string, ...flags: string[]): Promise<string> {
  const command = run('follow', '--data-dir', dataDir, ...flags)
  expect(await command.exit, command.output.stderr).toBe(0)
  return command.output.stdout
}

describeShared('a chain of mirrors', RECORDING, () => {
  test('ends with the state of the first wiki, by changes alone', async () => {
    const wiki = await openRecording()
    wiki.goTo(0)
    const first = await UpstreamServer.start(wiki)
    const folder = folderOfFile()
    const mirrors = Array.from({ length: LENGTH }, (_, n) => join(folder, String(n)))
    let { url } = first
    for (const mirror of mirrors) {
      await follow(mirror, '--upstream', url, '--contact', 'test@wiki.example', '--once')
      const port = await startProcess(mirror, '--no-html')
      url = `http://127.0.0.1:${port}/api.php`
    }
    for (let step = EVERY; step < wiki.last + EVERY; step += EVERY) {
      wiki.goTo(Math.min(step, wiki.last))
      for (const mirror of mirrors) await follow(mirror, '--once')
    }
    for (const mirror of mirrors) expect(await follow(mirror, '--check')).toMatch(/^0 differences\n/)
    const store = Store.open(mirrors.at(-1)!)
    try {
      expect(stateOf(store)).toEqual(comparable(await expectedOf(wiki)))
      expect(verifyStore(store).problems).toEqual([])
    } finally {
      await store.close()
    }
  })
})
