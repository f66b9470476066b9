/** The store as a rendering reads it. Each read is recorded, since a later change of a page makes the HTML outdated. */
import { FILE } from '../../domain/namespaceIds.js'
import { type Title, titleId } from '../../domain/title.js'
import type { FileFacts } from '../../domain/file.js'
import { FileUrls } from '../../files/fileUrls.js'
import { mediaTypeOf, mimeTypeOfName, SVG } from '../../domain/mediaTypes.js'
import { pictureSize, type PictureForm, type Size, thumbnailFor } from '../../files/pictureForms.js'
import type { RenderedFile, SourcePage, RenderSource } from '../../render/html/sources.js'
import { BoundedCache } from '../../runtime/boundedCache.js'
import type { Use } from '../../storage/html/renderings.js'
import type { RevisionRow, Store } from '../../storage/store.js'
import type { RenderSettings } from './renderTasks.js'

/** Pictures that browsers can show, or that MediaWiki converts for them. For other types this is not certain. */
const BROWSER_PICTURES: ReadonlySet<string> = new Set([
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/tiff'],
  SVG,
])

/** Addresses of files. */
export interface RenderedFiles {
  readonly urls: FileUrls
}

/** Takes them from the server's settings. */
export function renderedFiles(settings: RenderSettings): RenderedFiles {
  return { urls: new FileUrls(settings, settings.baseUrl) }
}

/** Of both halves of a cache of texts. */
const KEPT_CHARACTERS = 8_000_000

/**
 * Texts of pages that renderings read, kept between renderings of one wiki: modules have hundreds of kilobytes, and to
 * decode them takes milliseconds. Caches of trees and chunks compare texts, which is fast for the same one.
 */
export class KeptTexts {
  readonly #texts = new BoundedCache<{ readonly sha1: Buffer; readonly text: string }, number>(
    KEPT_CHARACTERS,
    (_id, { text }) => text.length,
  )

  /** Undefined if the text is hidden. */
  get(store: Pick<Store, 'getText'>, { id, sha1, textHidden }: RevisionRow): string | undefined {
    if (textHidden) return undefined
    const known = this.#texts.get(id)
    if (known?.sha1.equals(sha1) === true) return known.text
    const text = store.getText(id)
    // A row may be a view of memory that the store uses again.
    if (text !== undefined) this.#texts.set(id, { sha1: Buffer.from(sha1), text })
    return text
  }
}

export class RecordingSource implements RenderSource {
  readonly #store: Store
  readonly #files: RenderedFiles
  readonly #texts: KeptTexts
  readonly #uses = new Map<string, Use>()
  /** Caches pages, so that a rendering reads each only once. */
  readonly #pages = new Map<string, SourcePage | undefined>()

  constructor(store: Store, files: RenderedFiles, texts = new KeptTexts()) {
    this.#store = store
    this.#files = files
    this.#texts = texts
  }

  /** In the order of first use. */
  uses(): Use[] {
    return [...this.#uses.values()]
  }

  readPage(title: Title): SourcePage | undefined {
    const key = titleId(title)
    if (this.#pages.has(key)) return this.#pages.get(key)
    const page = this.#read(title)
    this.#pages.set(key, page)
    this.#uses.set(key, { ...title, kind: 'content', revisionId: page?.revisionId ?? this.#latestId(title) })
    return page
  }

  pageExists(title: Title): boolean {
    const key = titleId(title)
    const known = this.#uses.get(key)
    const revisionId = known?.revisionId ?? this.#latestId(title)
    if (known === undefined) this.#uses.set(key, { ...title, kind: 'existence', revisionId })
    return revisionId !== 0
  }

  readFile(dbkey: string): RenderedFile | undefined {
    const title = { namespace: FILE, dbkey }
    const facts = this.#store.getFile(dbkey)
    // A page without a file may be, or become, a redirect to one. The rendering then depends on its text.
    if (facts === undefined && this.pageExists(title)) this.readPage(title)
    const target = facts === undefined ? this.#store.findFile(dbkey) : undefined
    this.pageExists(title)
    const use = this.#uses.get(titleId(title))
    if (use !== undefined) this.#uses.set(titleId(title), { ...use, file: facts?.sha1 ?? '' })
    if (target !== undefined) return this.readFile(target.dbkey)
    if (facts !== undefined && this.#files.urls.canShow(facts)) return rendered(dbkey, facts, this.#files)
    // With the table of the shared repository, a file that no table has is known to be missing.
    const isMissing = facts === undefined && this.#store.imported.has('shared_image')
    return isMissing ? undefined : pictureElsewhere(dbkey, this.#files)
  }

  #read(title: Title): SourcePage | undefined {
    const latest = this.#store.getRevision(this.#latestId(title))
    const wikitext = latest === undefined ? undefined : this.#texts.get(this.#store, latest)
    if (latest === undefined || wikitext === undefined) return undefined
    const { id: revisionId, pageId, timestamp, contentModel } = latest
    const sizeBytes = latest.sizeBytes ?? 0
    return { pageId, revisionId, timestamp, userName: userNameOf(latest), sizeBytes, contentModel, wikitext }
  }

  #latestId({ namespace, dbkey }: Title): number {
    return namespace < 0 ? 0 : (this.#store.getPage(namespace, dbkey)?.latestId ?? 0)
  }
}

/** The name of a revision's editor; empty if hidden. */
export function userNameOf({ json }: Pick<RevisionRow, 'json'>): string {
  const { user } = JSON.parse(json.toString()) as { readonly user: { readonly name: string } | null }
  return user?.name ?? ''
}

/** This server scales to the widths that it offers, another repository to any width. */
function scaledTo(width: number, size: Size, { sha256, mimeType }: FileFacts): PictureForm {
  if (sha256 !== null) return thumbnailFor(size, width, mimeType)
  const height = Math.max(1, Math.round((size.height * width) / size.width))
  return { width, height, isOriginal: width >= size.width && mimeType !== SVG }
}

/** A picture of unknown size in another repository, if the name has the extension of a picture. */
function pictureElsewhere(dbkey: string, { urls }: RenderedFiles): RenderedFile | undefined {
  const mime = mimeTypeOfName(dbkey)
  if (!urls.hasRemote || !BROWSER_PICTURES.has(mime)) return undefined
  const url = urls.remoteOriginal(dbkey)
  return {
    width: 0,
    height: 0,
    sizeBytes: 0,
    mime,
    mediaType: mediaTypeOf(mime),
    url,
    descriptionUrl: urls.description(dbkey, `File:${dbkey}`),
    thumbUrl: (width) => urls.remoteThumbnail(dbkey, width, mime) ?? url,
  }
}

function rendered(dbkey: string, facts: FileFacts, { urls }: RenderedFiles): RenderedFile {
  const { width, height, sizeBytes, durationSeconds, mimeType: mime, mediaType } = facts
  const size = urls.canScale(facts) ? pictureSize(facts) : undefined
  const url = urls.original(dbkey, facts)
  return {
    width: width ?? 0,
    height: height ?? 0,
    sizeBytes,
    ...(durationSeconds !== null && { duration: durationSeconds }),
    mime,
    mediaType,
    url,
    descriptionUrl: urls.description(dbkey, `File:${dbkey}`),
    thumbUrl: (wanted) =>
      size === undefined ? url : urls.rendering(dbkey, facts, scaledTo(wanted, size, facts)),
  }
}
