/** The recording of a followed wiki, as plain data after each of its steps. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type MediaType, sha1Base36 } from '../../src/domain/file.js'
import type { Interwiki } from '../../src/domain/interwiki.js'
import type { ProtectionLevel } from '../../src/domain/protection.js'
import type { Site } from '../../src/domain/site.js'
import { parseTimestamp } from '../../src/domain/timestamp.js'
import type { UpstreamProtection } from '../../src/domain/upstream.js'
import {
  type ExpectedPage,
  type ExpectedState,
  FOLDER,
  loadExpected,
  openRecording,
  type RecordedWiki,
} from './replay.js'
import type { ModelPage, WikiModel } from './wikiModel.js'

/** Wikis after each step of the recording, by the number of the step. */
export async function openModels(): Promise<{ last: number; at(step: number): WikiModel }> {
  const expectedState = await loadExpected()
  const texts = JSON.parse(gunzipSync(readFileSync(join(FOLDER, 'texts.json.gz'))).toString()) as Record<
    string,
    string
  >
  const replay = await openRecording()
  return {
    last: replay.last,
    at(step) {
      replay.goTo(step)
      return modelOf(replay, expectedState(replay), texts)
    },
  }
}

function modelOf(replay: RecordedWiki, expected: ExpectedState, texts: Record<string, string>): WikiModel {
  const { pages, protectedTitles, namespaces, bots } = expected
  const named = new Map(namespaces.map(({ id, name }) => [id, name]))
  const dbkeyOf = (ns: number, title: string): string => {
    const name = named.get(ns)!
    return (name === '' ? title : title.slice(name.length + 1)).replaceAll(' ', '_')
  }
  const accounts = replay.rows('users') as { userid: number; name: string }[]
  return {
    pages: pages.map((page) => pageOf(page, dbkeyOf(page.ns, page.title), texts)),
    protections: [
      ...pages.filter(({ protection }) => protection.length > 0).map((page) => protectionOf(page, dbkeyOf)),
      ...protectedTitles.map(({ ns, title, level, expiry }) =>
        protectionOf({ ns, title, protection: [{ type: 'create', level, expiry }] }, dbkeyOf),
      ),
    ],
    files: filesOf(replay),
    users: accounts.map(({ userid, name }) => ({ userId: userid, name })),
    bots,
    site: siteOf(replay, namespaces),
    interwiki: (replay.rows('site') as Partial<{ prefix: string; url: string; language: string }>[])
      .filter(({ prefix }) => prefix !== undefined)
      .map(({ prefix, url, language }) => ({ prefix, url, ...(language && { language }) }) as Interwiki),
  }
}

function pageOf(page: ExpectedPage, dbkey: string, texts: Record<string, string>): ModelPage {
  const { id, ns, latest, redirect, revisions } = page
  return {
    id,
    namespace: ns,
    dbkey,
    latestId: latest,
    redirectTarget:
      redirect === null
        ? null
        : `${redirect.interwiki ? `${redirect.interwiki}:` : ''}${redirect.title ?? ''}${redirect.fragment ? `#${redirect.fragment}` : ''}`,
    revisions: revisions.map((one) => ({
      id: one.id,
      parentId: one.parent,
      timestamp: parseTimestamp(one.timestamp)!,
      minor: one.minor,
      contentModel: one.model,
      sizeBytes: one.size,
      editor: one.user === null ? undefined : { id: one.user.id || null, name: one.user.name },
      comment: one.comment ?? undefined,
      text: one.text === null ? undefined : texts[one.text.sha1]!,
    })),
  }
}

function protectionOf(
  { ns, title, protection }: Pick<ExpectedPage, 'ns' | 'title' | 'protection'>,
  dbkeyOf: (ns: number, title: string) => string,
): UpstreamProtection {
  const of = (type: string) => protection.find((one) => one.type === type)
  const levelOf = (type: string): ProtectionLevel => (of(type) === undefined ? 'none' : 'sysop')
  const { expiry } = (of('edit') ?? of('create'))!
  return {
    namespace: ns,
    dbkey: dbkeyOf(ns, title),
    edit: levelOf('edit'),
    create: levelOf('create'),
    expires: expiry === 'infinity' ? null : parseTimestamp(expiry)!,
  }
}

interface RecordedFile {
  name: string
  size: number
  width: number
  height: number
  sha1: string
  mime: string
  mediatype: MediaType
  timestamp: string
  user?: string
  userid: number
}

function filesOf(replay: RecordedWiki): WikiModel['files'] {
  const rows = replay.rows('images') as unknown as RecordedFile[]
  return rows.map(({ name, size, width, height, sha1, mime, mediatype, timestamp, user, userid }) => ({
    dbkey: name,
    facts: {
      sizeBytes: size,
      width,
      height,
      durationSeconds: null,
      mediaType: mediatype,
      mimeType: mime,
      sha1: sha1Base36(sha1),
      uploader: user === undefined ? undefined : { id: userid || null, name: user },
      timestamp: parseTimestamp(timestamp)!,
      sha256: null,
    },
  }))
}

function siteOf(replay: RecordedWiki, namespaces: ExpectedState['namespaces']): Site {
  const rows = replay.rows('site') as Partial<Record<'sitename' | 'lang' | 'base' | 'wikiid', string>>[]
  const general = rows.find(({ sitename }) => sitename !== undefined)!
  return {
    name: general.sitename!,
    wikiId: general.wikiid!,
    language: general.lang!,
    base: general.base!,
    case: 'first-letter',
    namespaces: namespaces.map(({ id, name }) => ({ id, name, case: 'first-letter' })),
    license: { url: '', title: '' },
    bots: [],
  }
}
