/** What a store shows, and what the recording expects, in one form. */
import { prefixedText } from '../../src/domain/title.js'
import { formatTimestamp, parseTimestamp } from '../../src/domain/timestamp.js'
import { sha1Base36 } from '../../src/domain/file.js'
import type { Store } from '../../src/storage/store.js'
import type { ExpectedPage, ExpectedState } from './replay.js'

/** Everything of a mirror that can be compared with its wiki. */
export function stateOf(store: Store): object {
  const { mirror } = store
  store.refresh()
  const namespaces = store.namespaces()
  const pages = [...mirror.pageIds()].map((id) => {
    const page = store.getPageById(id)
    if (page === undefined) return { id, title: null }
    const title = prefixedText(page, namespaces)
    const held = store.getPage(page.namespace, page.dbkey)
    return {
      id,
      title,
      held: held?.pageId === id,
      latest: page.latestId,
      redirect: page.redirectTarget ?? null,
      protection: levels(store.getProtection(page, 0)),
      revisions: revisionsOf(store, id),
    }
  })
  const site = store.site()
  return {
    pages,
    protectedTitles: [...mirror.protectedTitles()]
      .filter((title) => mirror.pageWithTitle(title) === undefined)
      .map((title) => ({ title: prefixedText(title, namespaces), ...levels(store.getProtection(title, 0)) })),
    files: [...store.listFiles()].map(({ dbkey, facts }) => ({
      name: dbkey,
      size: facts.sizeBytes,
      width: facts.width,
      height: facts.height,
      sha1: facts.sha1,
      mime: facts.mimeType,
      mediatype: facts.mediaType,
      timestamp: formatTimestamp(facts.timestamp),
      user: facts.uploader?.name ?? null,
    })),
    bots: [...mirror.bots()].sort(),
    site: { sitename: site.name, lang: site.language, case: site.case },
    namespaces: site.namespaces.map(({ id, name }) => ({ id, name })).sort((one, other) => one.id - other.id),
    interwiki: [...store.interwiki().keys()].sort(),
  }
}

function revisionsOf(store: Store, pageId: number): object[] {
  const { revisions } = store.listRevisions(pageId, { limit: 100_000 })
  return revisions.reverse().map((json) => {
    const { id, user, comment } = JSON.parse(json.toString()) as {
      id: number
      user: { id: number | null; name: string } | null
      comment: string | null
    }
    const row = store.getRevision(id)!
    const text = store.getText(id)
    return {
      id,
      parent: row.parentId,
      timestamp: formatTimestamp(row.timestamp),
      size: row.sizeBytes,
      minor: row.minor,
      model: row.contentModel,
      user: user && { id: user.id ?? 0, name: user.name },
      comment,
      text: text === undefined ? null : row.sha1.toString('hex'),
    }
  })
}

/** The expected state in the same form. */
export function comparable(expected: ExpectedState): object {
  const { pages, protectedTitles, files, bots, site, namespaces, interwiki } = expected
  return {
    pages: pages.map((page) => ({
      id: page.id,
      title: page.title,
      held: true,
      latest: page.latest,
      redirect: page.redirect && targetText(page.redirect),
      protection: statedLevels(page.protection),
      revisions: page.revisions.map((revision) => ({
        ...withoutTags(revision),
        text: revision.text?.sha1 ?? null,
      })),
    })),
    protectedTitles: protectedTitles.map(({ title, level, expiry }) => ({
      title,
      ...statedLevels([{ type: 'create', level, expiry }]),
    })),
    files: [...files]
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map((file) => ({ ...file, sha1: sha1Base36(file.sha1) })),
    bots: [...bots].sort(),
    site: { sitename: site.sitename, lang: site.lang, case: site.case },
    namespaces,
    interwiki: [...interwiki].sort(),
  }
}

function withoutTags<Revision extends ExpectedPage['revisions'][number]>(revision: Revision): object {
  const { tags: _tags, ...rest } = revision as Revision & { tags?: unknown }
  return rest
}

const targetText = ({ title = '', interwiki, fragment }: NonNullable<ExpectedPage['redirect']>): string =>
  `${interwiki === undefined ? '' : `${interwiki}:`}${title}${fragment === undefined ? '' : `#${fragment}`}`

function statedLevels(rows: readonly { type: string; level: string; expiry: string }[]): object {
  const level = (type: string): string => {
    const row = rows.find((each) => each.type === type)
    return row === undefined ? 'none' : row.level === 'autoconfirmed' ? 'user' : 'sysop'
  }
  const expiry = rows.find(({ type }) => type === 'edit' || type === 'create')?.expiry ?? 'infinity'
  return {
    edit: level('edit'),
    create: level('create'),
    expires: expiry === 'infinity' ? null : parseTimestamp(expiry),
  }
}

const levels = ({
  edit,
  create,
  expires,
}: {
  edit: string
  create: string
  expires: number | null
}): object => ({
  edit,
  create,
  expires,
})
