/** A wiki with a sysop and two other accounts, and clients who are logged in. */
import { Passwords } from '../../../src/auth/passwords.js'
import { Client, type Fields, type Json, PASSWORD } from '../../conformance/actionClient.js'
import { startServer, type TestServer } from '../../conformance/garden.js'
import { createUser, folderForWriters, NOW } from '../../conformance/signedIn.js'
import { facts, fileEntry } from '../../support/files.js'
import { MODULE_SITE } from '../../support/moduleSite.js'

/** A client who sends the right token with each action. */
export class Writer {
  readonly #tokens = new Map<string, string>()

  constructor(readonly client: Client) {}

  static async logIn(server: TestServer, name?: string): Promise<Writer> {
    const client = new Client(server, '/api.php', { format: 'json', formatversion: '2' })
    if (name !== undefined) await client.logIn(name)
    return new Writer(client)
  }

  async do(action: string, fields: Fields = {}): Promise<Json> {
    const type = action === 'rollback' ? 'rollback' : 'csrf'
    const token = this.#tokens.get(type) ?? (await this.client.token(type))
    this.#tokens.set(type, token)
    return this.client.post({ action, token, ...fields })
  }

  /** Uploads a file, with a form of several parts. */
  async upload(fields: Fields, bytes: Buffer | undefined): Promise<Json> {
    const token = this.#tokens.get('csrf') ?? (await this.client.token())
    this.#tokens.set('csrf', token)
    const files = bytes === undefined ? {} : { file: bytes }
    return this.client.postMultipart({ action: 'upload', token, ...fields }, files)
  }

  /** Saves a page, and returns the id of the revision. */
  async save(title: string, text: string, fields: Fields = {}): Promise<string> {
    const { edit } = (await this.do('edit', { title, text, ...fields })) as { edit: { newrevid: number } }
    return String(edit.newrevid)
  }

  async code(action: string, fields: Fields): Promise<string | undefined> {
    return ((await this.do(action, fields))['error'] as { code: string } | undefined)?.code
  }

  /** Texts, comments and editors of a page's revisions, newest first. */
  async history(titles: string): Promise<{ text?: string; comment: string; user: string; minor: boolean }[]> {
    const fields = { rvprop: 'content|comment|user|flags|ids', rvslots: 'main', rvlimit: 'max' }
    const { query } = await this.client.get({ action: 'query', prop: 'revisions', titles, ...fields })
    const { pages } = query as { pages: { revisions?: Revision[] }[] }
    return (pages[0]?.revisions ?? []).map(({ slots, comment, user, minor }) => ({
      ...(slots.main.content !== undefined && { text: slots.main.content }),
      comment,
      user,
      minor,
    }))
  }
}

interface Revision {
  readonly slots: { readonly main: { readonly content?: string } }
  readonly comment: string
  readonly user: string
  readonly minor: boolean
}

export interface WritingWiki {
  readonly folder: string
  readonly server: TestServer
  /** Of the group sysop. */
  readonly sue: Writer
  readonly ann: Writer
  readonly ben: Writer
}

export async function writingWiki(flags: Parameters<typeof startServer>[1] = {}): Promise<WritingWiki> {
  const passwordHash = await new Passwords().hash(PASSWORD)
  const folder = await folderForWriters((applier) => {
    applier.submit({ kind: 'site', id: 'f'.repeat(32), time: NOW, site: MODULE_SITE })
    applier.submit(fileEntry('Pier.png', facts()))
    createUser(applier, 'Sue', ['sysop'], passwordHash)
    createUser(applier, 'Ann', [], passwordHash)
    createUser(applier, 'Ben', [], passwordHash)
  })
  const server = await startServer(folder, flags)
  const [sue, ann, ben] = [
    await Writer.logIn(server, 'Sue'),
    await Writer.logIn(server, 'Ann'),
    await Writer.logIn(server, 'Ben'),
  ]
  return { folder, server, sue, ann, ben }
}
