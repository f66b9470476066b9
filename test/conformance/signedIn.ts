/** Accounts, tokens and writes of authorised clients, for the tests of identities. */
import { newSecret, tokenText } from '../../src/auth/tokens.js'
import type { GivenFlags } from '../../src/config/config.js'
import type { Group, Scope } from '../../src/domain/account.js'
import type { AdministrativeChange } from '../../src/storage/entries/administration.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { type Verdict } from '../../src/storage/entries/entries.js'
import { Store } from '../../src/storage/store.js'
import { folderWith, page, revision } from './busyWiki.js'
import { sendJson } from './editing.js'
import { type Answer, startServer, type TestServer } from './garden.js'

export const NOW = Math.floor(Date.now() / 1000)

let entries = 0

export const change = (applier: Applier, body: AdministrativeChange): Verdict =>
  applier.submit({ id: (++entries).toString(16).padStart(32, '0'), time: NOW, ...body })

export function createUser(
  applier: Applier,
  name: string,
  groups: readonly Group[] = [],
  passwordHash: string | null = null,
): number {
  const verdict = change(applier, { kind: 'user', action: 'create', name, passwordHash, groups })
  if (verdict.result !== 'account') throw new Error(verdict.result)
  return verdict.userId
}

export function createToken(
  applier: Applier,
  userId: number,
  scopes: readonly Scope[] = ['read', 'write'],
  expires: number | null = null,
): string {
  const { secret, secretHash } = newSecret()
  const body = { userId, secretHash, scopes, expires, name: '' }
  const verdict = change(applier, { kind: 'token', action: 'create', ...body })
  if (verdict.result !== 'token') throw new Error(verdict.result)
  return tokenText(verdict.tokenId, secret)
}

/** A folder with the pages Moon and Sun, changed by `prepare`. */
export async function folderForWriters(
  prepare: (applier: Applier) => void = () => undefined,
): Promise<string> {
  const folder = await folderWith(['Moon', 'Sun'].map((key, n) => page(n + 1, key, [revision(n + 1, key)])))
  const store = Store.open(folder)
  prepare(new Applier(store))
  await store.close()
  return folder
}

export interface Writers {
  readonly server: TestServer
  /** Saves a page: a new one without `title`. Sends no token in the body without `token`. */
  write(headers?: Record<string, string>, body?: { token?: string; title?: string }): Promise<Answer>
  /** Who made the revision that a write answered with. */
  editorOf(answer: Answer): Promise<unknown>
}

let pages = 0

/** A server over a folder. */
export async function startWriters(folder: string, flags: GivenFlags = {}): Promise<Writers> {
  const server = await startServer(folder, flags)
  return {
    server,
    async write(headers = {}, { token, title = `Draft ${++pages}` } = {}) {
      const path = `/v1/page/${encodeURIComponent(title)}`
      const latest = (await server.send(path)).body as { latest?: { id: number } }
      // A text that every content model takes.
      const fields = { title, source: `{"n":${++pages}}`, comment: '', token }
      return latest.latest === undefined
        ? sendJson(server, 'POST', '/v1/page', fields, headers)
        : sendJson(server, 'PUT', path, { ...fields, latest: latest.latest }, headers)
    },
    async editorOf(answer) {
      const { latest } = answer.body as { latest: { id: number } }
      const revision = await server.send(`/v1/revision/${latest.id}/bare`)
      return (revision.body as { user: unknown }).user
    },
  }
}
