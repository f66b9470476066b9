/** Entries by chance of all kinds that machines of a cluster share: also repeated, refused and malformed ones. */
import { hash } from 'node:crypto'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import type { Change, Entry } from '../../src/storage/entries/entries.js'
import { facts } from './files.js'
import { START } from './store.js'

/** Titles and words whose order, case or width differ between languages and versions of Unicode. */
const NAMES = ['Istanbul', 'Ä', 'Zebra', 'Éa', 'ﬁsh', 'ß', 'Σας', 'Ǆ', '日本', 'אב', '𐐀', 'I', 'O_1', 'O_10']
const WORDS = [
  'oak',
  'Eiche',
  'ığdır',
  'straße',
  'ΟΔΟΣ',
  '[[Zebra]]',
  '#REDIRECT [[Ä]]',
  '[[Category:O 1]]',
  '🙂',
]
const USERS = ['Ann', 'Örn', 'iris', '192.0.2.1']

export class RandomEntries {
  readonly #random: () => number
  readonly #made: Entry[] = []
  #time = START

  constructor(random: () => number) {
    this.#random = random
  }

  next(): Entry {
    if (this.#made.length > 0 && this.#chance(0.03)) return this.#pick(this.#made)
    // Clocks of machines differ, so times run backwards, too.
    this.#time += Math.floor(this.#random() * 50) - 10
    const id = hash('sha256', `entry ${this.#made.length} ${this.#time}`).slice(0, 32)
    const entry = { id, time: this.#time, ...this.#change() } as Entry
    const isMalformed = this.#chance(0.02)
    this.#made.push(isMalformed ? ({ ...entry, text: 7, minor: 'no', facts: 1 } as unknown as Entry) : entry)
    return this.#made.at(-1)!
  }

  #change(): Change {
    const roll = this.#random()
    if (roll < 0.2)
      return { kind: 'create', namespace: this.#namespace(), dbkey: this.#name(), ...this.#text() }
    if (roll < 0.6)
      return { kind: 'edit', pageId: this.#id(12), baseRevisionId: this.#id(60), ...this.#text() }
    return this.#pick([
      () => this.#hide(),
      () => this.#protect(),
      () => this.#erase(),
      () => this.#move(),
      () => this.#deletion(),
      () => this.#restriction(),
      () => this.#file(),
      () => this.#upload(),
      () => this.#settings(),
      () => this.#user(),
      () => this.#token(),
      () => this.#session(),
      (): Change => ({ kind: 'gate', version: 1 }),
      (): Change => ({ kind: 'import', name: 'd.xml', sha256: null, pages: 0, revisions: this.#id(9) }),
      (): Change => ({ kind: 'site', site: { ...DEFAULT_SITE, name: this.#name() } }),
    ])()
  }

  #hide(): Change {
    const [text, comment, user] = [this.#chance(0.5), this.#chance(0.5), this.#chance(0.5)]
    return { kind: 'hide', revisionId: this.#id(60), text, comment, user }
  }

  #protect(): Change {
    const level = this.#pick(['none', 'user', 'sysop'] as const)
    const expires = this.#chance(0.5) ? null : this.#time + this.#id(100)
    return {
      kind: 'protect',
      namespace: this.#namespace(),
      dbkey: this.#name(),
      edit: level,
      create: level,
      expires,
    }
  }

  #erase(): Change {
    const roll = this.#random()
    if (roll < 0.6)
      return {
        kind: 'erase',
        action: 'revisions',
        revisionIds: [this.#id(60), this.#id(60)],
        parts: [this.#pick(['text', 'comment', 'user'])],
      }
    if (roll < 0.8) return { kind: 'erase', action: 'page', pageId: this.#id(12) }
    // Without editors: their revisions would have to go before.
    return { kind: 'erase', action: 'user', actorIds: [], userId: USERS.length + this.#id(4) }
  }

  #move(): Change {
    const to = { namespace: this.#namespace(), dbkey: this.#name() }
    const from = { namespace: this.#namespace(), dbkey: this.#name() }
    const text = this.#text()
    return {
      kind: 'move',
      ...text,
      pageId: this.#id(12),
      baseRevisionId: this.#id(60),
      from,
      ...to,
      reason: this.#pick(WORDS),
      redirect: this.#chance(0.5) ? { ...from, comment: '', text: '#REDIRECT [[Ä]]' } : null,
      replaced: this.#chance(0.2)
        ? { ...to, pageId: this.#id(12), latestId: this.#id(60), reason: '' }
        : null,
      protections: this.#chance(0.2) ? [{ ...to, edit: 'sysop', create: 'none', expires: null }] : [],
    }
  }

  #deletion(): Change {
    const { editor } = this.#text()
    const title = { namespace: this.#namespace(), dbkey: this.#name() }
    const change = { pageId: this.#id(12), ...title, editor, reason: this.#pick(WORDS) }
    return this.#chance(0.5)
      ? { kind: 'delete', ...change, protections: [], ...(this.#chance(0.3) && { file: title.dbkey }) }
      : { kind: 'undelete', ...change, ...(this.#chance(0.3) && { file: title.dbkey }) }
  }

  #restriction(): Change {
    const { editor } = this.#text()
    const [edit, move] = [this.#pick(['none', 'user'] as const), this.#pick(['none', 'sysop'] as const)]
    return {
      kind: 'restrict',
      pageId: this.#chance(0.7) ? this.#id(12) : null,
      namespace: this.#namespace(),
      dbkey: this.#name(),
      ...{ edit, move, create: 'none', expires: null },
      action: this.#pick(['protect', 'unprotect'] as const),
      editor,
      reason: this.#pick(WORDS),
      description: 'x',
    }
  }

  #file(): Change {
    const dbkey = `${this.#name()}.png`
    if (this.#chance(0.3)) return { kind: 'file', dbkey, facts: null }
    const sha256 = hash('sha256', this.#pick(WORDS))
    return { kind: 'file', dbkey, facts: facts({ timestamp: this.#time, sha256, sizeBytes: this.#id(9) }) }
  }

  #upload(): Change {
    const dbkey = `${this.#name()}.png`
    const isNew = this.#chance(0.6)
    const sha256 = hash('sha256', this.#pick(WORDS))
    const text = this.#text()
    return {
      kind: 'upload',
      namespace: 6,
      dbkey,
      ...text,
      pageId: isNew ? null : this.#id(12),
      baseRevisionId: isNew ? null : this.#id(60),
      file: { dbkey, facts: facts({ timestamp: this.#time, sha256, uploader: text.editor }) },
    }
  }

  #settings(): Change {
    const entries = { [this.#pick(['b', 'a', 'w'])]: { url: 'https://w.example/$1' } }
    return {
      kind: 'settings',
      site: { bots: [this.#pick(USERS), this.#pick(USERS)] },
      interwiki: { only: this.#chance(0.2), entries },
    }
  }

  #user(): Change {
    const groups = this.#chance(0.5) ? (['bot'] as const) : (['sysop', 'bot'] as const)
    const userId = this.#id(2 * USERS.length)
    return this.#pick<Change>([
      {
        kind: 'user',
        action: 'create',
        name: `${this.#pick(USERS)}_${this.#id(3)}`,
        passwordHash: null,
        groups,
      },
      { kind: 'user', action: 'password', userId, passwordHash: `x${this.#id(9)}` },
      { kind: 'user', action: 'groups', userId, groups },
    ])
  }

  #token(): Change {
    if (this.#chance(0.4)) return { kind: 'token', action: 'revoke', tokenId: this.#id(5) }
    const secretHash = hash('sha256', this.#pick(WORDS))
    return {
      kind: 'token',
      action: 'create',
      userId: this.#id(4),
      secretHash,
      scopes: [],
      expires: null,
      name: 'n',
    }
  }

  #session(): Change {
    const key = { expires: this.#time + this.#id(99), secretHash: hash('sha256', this.#pick(WORDS)) }
    const row = { userId: this.#id(4), passwordStamp: 's' }
    return {
      kind: 'session',
      change: this.#chance(0.7)
        ? { ...key, action: 'open', row, now: this.#time }
        : { ...key, action: 'close' },
    }
  }

  #text(): Omit<Extract<Change, { kind: 'create' }>, 'kind' | 'namespace' | 'dbkey'> {
    const words = Array.from({ length: this.#id(40) }, () => this.#pick(WORDS))
    const name = this.#pick(USERS)
    return {
      editor: { id: name.startsWith('1') ? null : USERS.indexOf(name) + 1, name },
      comment: this.#pick(WORDS),
      minor: this.#chance(0.3),
      contentModel: 'wikitext',
      text: words.join(this.#pick([' ', '\n'])),
    }
  }

  #namespace = (): number => this.#pick([0, 0, 0, 1, 6, 14])
  #name = (): string => this.#pick(NAMES)
  #id = (most: number): number => 1 + Math.floor(this.#random() * most)
  #chance = (part: number): boolean => this.#random() < part
  #pick = <Item>(items: readonly Item[]): Item => items[Math.floor(this.#random() * items.length)]!
}
