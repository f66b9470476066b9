/** Files: `prop=imageinfo`, `pageimages`, `images`, and `list=allimages`. */
import { FILE } from '../../../domain/namespaceIds.js'
import { formatTimestamp } from '../../../domain/timestamp.js'
import { compareUtf8, parseTitle } from '../../../domain/title.js'
import type { NamedFile } from '../../../storage/pages/files.js'
import {
  choiceOr,
  choicesOr,
  continueFrom,
  flag,
  integer,
  integerOr,
  limit,
  text,
  texts,
  timestamp,
  type Values,
} from '../frame/declaration.js'
import { ActionError } from '../frame/problems.js'
import { type Fields, Table } from '../frame/values.js'
import { type PageEntry, titleFields } from '../pageSet/pageSet.js'
import { FILE_PROPERTIES, fileFields, type FileProperty, FilePictures, hexOf } from '../fileFields.js'
import {
  defineFacts,
  defineList,
  defineListedProp,
  type Item,
  type Listing,
  type More,
  type QueryCall,
} from './module.js'
import { keyOf, listRows, prefixKeyOf } from './places.js'
import { moreAt, rangeOf } from './timePlaces.js'

export const imageInfo = defineFacts({
  name: 'imageinfo',
  prefix: 'ii',
  summary: 'Files',
  parameters: {
    prop: choicesOr(['timestamp', 'user'], FILE_PROPERTIES, 'what to tell'),
    limit: limit(1),
    start: timestamp('begin with the version of this time'),
    end: timestamp('end with the version of this time'),
    urlwidth: integerOr(-1, 'width of a scaled picture'),
    urlheight: integerOr(-1, 'height of a scaled picture'),
    metadataversion: text('without effect'),
    extmetadatalanguage: text('without effect'),
    extmetadatamultilang: flag('without effect'),
    extmetadatafilter: texts('without effect'),
    urlparam: text('a width such as `100px`'),
    badfilecontexttitle: text('without effect'),
    continue: continueFrom(),
    localonly: flag('only files of this wiki'),
  },
  run(call, values) {
    const { prop, urlwidth, urlheight, urlparam, limit: most } = values
    const facts = new Map<PageEntry, Fields>()
    const wanted = new Set<FileProperty>(prop)
    const files = call.pages.titled().filter(({ title }) => title.namespace === FILE)
    let more: More | undefined
    for (const entry of files) {
      const file = call.context.store.findFile(entry.title.dbkey)
      if (file === undefined) {
        facts.set(entry, { imagerepository: '' })
        continue
      }
      if (urlwidth < -1 || urlheight < -1)
        throw new ActionError(
          'urlparamnormal',
          `Could not normalize image parameters for ${entry.title.dbkey}.`,
        )
      const stated = Number(/^(\d{1,5})px$/.exec(urlparam ?? '')?.[1] ?? urlwidth)
      const box =
        stated > 0 || urlheight > 0
          ? { ...(stated > 0 && { width: stated }), ...(urlheight > 0 && { height: urlheight }) }
          : undefined
      const versions = versionsOf(file, values, call)
      const next = versions[most]
      if (next !== undefined && files.length === 1)
        more = { start: formatTimestamp(next.file.facts.timestamp) }
      facts.set(entry, {
        imagerepository: 'local',
        imageinfo: versions.slice(0, most).map((version) => versionFields(version, wanted, call, box)),
      })
    }
    return { facts, more }
  },
})

interface Version {
  readonly file: NamedFile
  /** Of an upload before the present one, whose contents are not kept. */
  readonly archiveName?: string
}

/** The uploads of a file from `start` back to `end`, newest first. */
function versionsOf(
  file: NamedFile,
  { start, end }: { readonly start?: number | undefined; readonly end?: number | undefined },
  { context }: QueryCall,
): Version[] {
  const old = context.store.imported
    .oldVersions(file.dbkey)
    .map(({ archiveName, facts }) => ({ archiveName, file: { dbkey: file.dbkey, facts } }))
  return [{ file }, ...old].filter(
    ({ file: { facts } }) =>
      (start === undefined || facts.timestamp <= start) && (end === undefined || facts.timestamp >= end),
  )
}

function versionFields(
  { file, archiveName }: Version,
  wanted: ReadonlySet<FileProperty>,
  call: QueryCall,
  box: Parameters<typeof fileFields>[3],
): Table {
  if (archiveName === undefined) return new Table(fileFields(file, wanted, call, box))
  const known = new Set([...wanted].filter((name) => name !== 'url'))
  return new Table({
    ...(wanted.has('url') && { filemissing: true }),
    ...fileFields(file, known, call),
    ...(wanted.has('archivename') && { archivename: archiveName }),
  })
}

export const pageImages = defineFacts({
  name: 'pageimages',
  prefix: 'pi',
  summary: 'The picture that stands for a page',
  parameters: {
    prop: choicesOr(['thumbnail', 'name'], ['thumbnail', 'name', 'original'], 'what to tell'),
    thumbsize: integerOr(50, 'longer side of the thumbnail'),
    limit: limit(50, 50),
    license: choiceOr('free', ['free', 'any'], 'without effect'),
    continue: integer('where to go on'),
    langcode: text('without effect'),
  },
  run(call, { prop, thumbsize, limit: most, continue: from }) {
    if (prop.length === 0)
      throw new ActionError('noprop', `The parameter "${call.module.prefix}prop" may not be empty.`)
    const facts = new Map<PageEntry, Fields>()
    const pictures = new FilePictures(call)
    // MediaWiki begins with the last page that was asked.
    const pages = call.pages.existing().sort((one, other) => other.number - one.number)
    let shown = 0
    for (const entry of pages) {
      if (from !== undefined && entry.number > from) continue
      if (shown++ === most) return { facts, more: { continue: entry.number } }
      const file = pictureOf(entry, call)
      if (file !== undefined) facts.set(entry, pictureFields(file, prop, thumbsize, pictures))
    }
    return { facts }
  },
})

function pictureOf({ title, page }: PageEntry, { context }: QueryCall): NamedFile | undefined {
  if (title === undefined || page === undefined || page.redirectTarget !== undefined) return undefined
  if (title.namespace === FILE) return context.store.findFile(title.dbkey)
  const { picture } = context.store.search.pageFacts(page.pageId)
  return picture === undefined ? undefined : context.store.findFile(picture)
}

function pictureFields(
  file: NamedFile,
  prop: readonly string[],
  side: number,
  pictures: FilePictures,
): Fields {
  const thumbnail = side > 0 ? pictures.within(file, { width: side, height: side }) : undefined
  const original = pictures.original(file)
  return {
    ...(prop.includes('thumbnail') && thumbnail && { thumbnail }),
    ...(prop.includes('original') && original && { original }),
    ...(prop.includes('name') && { pageimage: file.dbkey }),
  }
}

const allImagesParameters = {
  sort: choiceOr('name', ['name', 'timestamp'], 'order; by time, files of the log'),
  dir: choiceOr('ascending', ['ascending', 'descending', 'newer', 'older'], 'direction'),
  from: text('begin with this name'),
  to: text('end with this name'),
  continue: continueFrom(),
  start: timestamp('begin with uploads of this time; needs `sort=timestamp`'),
  end: timestamp('end with uploads of this time'),
  prop: choicesOr(['timestamp', 'url'], FILE_PROPERTIES, 'what to tell'),
  prefix: text('only names that begin so'),
  minsize: integer('least bytes'),
  maxsize: integer('most bytes'),
  sha1: text('only with this hash, in hexadecimal digits'),
  sha1base36: text('only with this hash'),
  user: text('only files of this user; needs `sort=timestamp`'),
  filterbots: choiceOr('all', ['all', 'bots', 'nobots'], 'without effect'),
  mime: texts('only of these types'),
  limit: limit(),
}

export const allImages = defineList({
  name: 'allimages',
  prefix: 'ai',
  summary: 'Files by name',
  isGenerator: true,
  parameters: allImagesParameters,
  run(call, values) {
    const isWanted = fileFilter(values, call)
    if (values.sort === 'timestamp' && call.context.store.logEvents.hasAny())
      return filesByTime(values, isWanted, call)
    const { from, to, continue: given, prefix, dir, limit: most, prop } = values
    const isReverse = dir === 'descending' || dir === 'older'
    const range = {
      from: given ?? (from && keyOf(from, FILE, call)),
      to: to && keyOf(to, FILE, call),
      prefix: prefix && prefixKeyOf(prefix, FILE, call),
      isReverse,
    }
    const wanted = new Set<FileProperty>(prop)
    const items: Item[] = []
    let read = 0
    for (const file of call.context.store.walkFiles(range)) {
      if (read++ === MAX_READ) return { items, more: { continue: file.dbkey } }
      if (!isWanted(file)) continue
      if (items.length === most) return { items, more: { continue: file.dbkey } }
      items.push(listedFile(file, wanted, call))
    }
    return { items }
  },
})

function listedFile(file: NamedFile, wanted: ReadonlySet<FileProperty>, call: QueryCall): Item {
  const title = { namespace: FILE, dbkey: file.dbkey }
  const fields = {
    name: file.dbkey,
    ...fileFields(file, wanted, call),
    ...titleFields(title, call.wiki.namespaces),
  }
  return { title, fields }
}

/** Files by the time of their present upload, which the log tells. */
function filesByTime(
  values: Values<typeof allImagesParameters>,
  isWanted: (file: NamedFile) => boolean,
  call: QueryCall,
): Listing {
  const { store } = call.context
  const { user, dir, limit: most } = values
  const actorId = user === undefined ? undefined : store.changes.actorsNamed(user)[0]
  const items: Item[] = []
  if (user !== undefined && actorId === undefined) return { items }
  const isReverse = dir === 'descending' || dir === 'older'
  const range = rangeOf({ ...values, dir: isReverse ? 'older' : 'newer' })
  const wanted = new Set<FileProperty>(values.prop)
  let read = 0
  for (const event of store.logEvents.list({ type: 'upload', actorId }, range)) {
    if (read++ === MAX_READ) return { items, more: moreAt(event) }
    const file = event.title?.namespace === FILE ? store.findFile(event.title.dbkey) : undefined
    if (file?.facts.timestamp !== event.timestamp || !isWanted(file)) continue
    if (items.length === most) return { items, more: moreAt(event) }
    items.push(listedFile(file, wanted, call))
  }
  return { items }
}

/** Files to read for one answer. */
const MAX_READ = 2000

function fileFilter(
  values: Values<typeof allImagesParameters>,
  { module, context }: QueryCall,
): (file: NamedFile) => boolean {
  const { user, sha1, sha1base36, minsize, maxsize, mime, sort, from } = values
  const { prefix } = module
  const only = (name: string, wanted: string): ActionError =>
    new ActionError(
      'invalidparammix',
      `The "${prefix}${name}" parameter may only be used with "${prefix}sort=${wanted}".`,
    )
  if (sort === 'name' && user !== undefined) throw only('user', 'timestamp')
  if (sort === 'timestamp' && from !== undefined) throw only('from', 'name')
  // The log has been asked for the user's own uploads.
  const isUserChosen = user === undefined || context.store.logEvents.hasAny()
  const isSound = sha1 === undefined || /^[0-9a-f]{40}$/i.test(sha1)
  if (!isSound || (sha1base36 !== undefined && !/^[0-9a-z]{31}$/i.test(sha1base36)))
    throw new ActionError('invalidsha1hash', 'The SHA1 hash provided is not valid.')
  return ({ facts }) =>
    facts.sizeBytes >= (minsize ?? 0) &&
    facts.sizeBytes <= (maxsize ?? Infinity) &&
    mime?.includes(facts.mimeType) !== false &&
    (isUserChosen || facts.uploader?.name === user) &&
    (sha1 === undefined || hexOf(facts.sha1) === sha1.toLowerCase()) &&
    (sha1base36 === undefined || facts.sha1 === sha1base36.toLowerCase())
}

/** Files of one page: more are not looked for. */
const MAX_FILES = 5000

export const images = defineListedProp({
  name: 'images',
  prefix: 'im',
  summary: 'Files that pages use',
  isGenerator: true,
  parameters: {
    limit: limit(),
    continue: continueFrom(),
    images: texts('only these'),
    dir: choiceOr('ascending', ['ascending', 'descending'], 'direction'),
  },
  run(call, { images: only, ...wanted }) {
    const chosen = only && new Set(only.flatMap((name) => fileKey(name, call)))
    return listRows(call, wanted, {
      of: ({ page }) => filesOf(page.pageId, call),
      nameOf: (dbkey) => dbkey,
      compare: compareUtf8,
      itemOf(dbkey, entry) {
        if (chosen?.has(dbkey) === false) return undefined
        const title = { namespace: FILE, dbkey }
        return { entry, title, fields: titleFields(title, call.wiki.namespaces) }
      },
    })
  },
})

/** From the imported table, else from the text of the page and its templates. */
async function filesOf(pageId: number, { context, nowMs }: QueryCall): Promise<string[]> {
  const { store, pool } = context
  const stated = store.imported.has('imagelinks') ? store.imported.files(pageId, MAX_FILES) : undefined
  const files =
    stated ??
    (await pool.run('expandedLinks', { pageId, maxFiles: MAX_FILES, now: Math.floor(nowMs / 1000) })).files
  return [...files].sort(compareUtf8)
}

function fileKey(name: string, { wiki }: QueryCall): string[] {
  const parsed = parseTitle(name, wiki.namespaces)
  return parsed.ok && parsed.title.namespace === FILE ? [parsed.title.dbkey] : []
}
