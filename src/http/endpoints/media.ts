/**
 * The bytes of files: originals, and pictures scaled from them.
 *
 *     /media/{version}/{name}                         version: the first digits of the contents' SHA-256
 *     /media/{version}/{name}/800px-{name}            with another ending when the picture has another type
 *
 * A URL always means the same bytes, so clients may keep answers forever. A URL of a replaced version, or of a name
 * that is now a redirect, redirects to the current URL.
 */
import { type FileHandle, open } from 'node:fs/promises'
import type { FileFacts } from '../../domain/file.js'
import { FileUrls, fileVersion } from '../../files/fileUrls.js'
import { originalPath } from '../../files/originals.js'
import {
  isOffered,
  pictureFormat,
  pictureName,
  pictureSize,
  pictureType,
  type Size,
  thumbnailFor,
  MAX_IMAGE_PIXELS,
} from '../../files/pictureForms.js'
import { FileTaskError } from '../../workers/files/fileProcesses.js'
import { HttpError, POOL_ERRORS } from '../reply/errors.js'
import { text, fileTitle } from '../request/params.js'
import { conditionally, headerLines, openFile, redirect, type Reply, json } from '../reply/reply.js'
import { defineRoute, type HttpContext } from '../routing/route.js'
import { SVG } from '../../domain/mediaTypes.js'
import { encodePercent } from '../../domain/percent.js'
import { FILE } from '../../domain/namespaceIds.js'
import type { Title } from '../../domain/title.js'
import { fileBodyWithThumbnail, fileView } from '../views/fileBodies.js'
import { ref } from '../openapi/schemas.js'

/** Types that browsers show without running code in them. */
const SHOWN = /^(?:image|audio|video)\/(?!svg)|^application\/(?:ogg|pdf)$/
/** An SVG drawing may use styles and embedded pictures, but no scripts, and it is isolated from the wiki's origin. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
/** One year: changed contents get a new URL. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** A file whose contents are stored on this server. */
interface LocalFile {
  readonly name: string
  readonly facts: FileFacts & { readonly sha256: string }
}

const VERSION = text('the first 16 hex digits of the SHA-256 of the contents')
const NAME = text('name of the file in URL form')
const BYTES = 'application/octet-stream'
const OTHER_ANSWERS = [
  {
    status: 206,
    description: 'The part that `Range` asks for',
    type: BYTES,
    headers: { 'Content-Range': 'place of the part' },
  },
  {
    status: 302,
    description: 'The file or width has another URL',
    headers: { Location: 'the URL in force' },
  },
  {
    status: 416,
    description: 'The file ends before the range begins. The body is empty.',
    type: BYTES,
    headers: { 'Content-Range': 'size of the file' },
  },
]

/** Answers the original of a file. */
export const getOriginal = defineRoute({
  method: 'GET',
  root: 'base',
  path: '/media/{version}/{name}',
  doc: {
    id: 'getOriginal',
    tag: 'Files',
    summary: 'Read a file, whole or in part',
    description: 'Takes `Range` and `If-Range`. The URLs are those that file objects name.',
    answer: { description: 'The bytes of the file, with its own type', type: BYTES },
    otherAnswers: OTHER_ANSWERS,
    errors: ['rest-cannot-load-file'],
  },
  params: { version: VERSION, name: NAME },
  handler({ params, request }, context) {
    const { store, config } = context
    const file = requireLocal(store, params.name)
    const { facts, name } = file
    if (!isInForce(params, file)) {
      return redirect(new FileUrls(config, request.baseUrl()).original(name, facts))
    }
    const validators = { etag: `"${facts.sha1}"`, lastModified: facts.timestamp }
    const range = { range: request.header('range'), ifRange: request.header('if-range') }
    return conditionally<Reply | Promise<Reply>>(request.conditions, validators, async () => {
      const opened = await openOriginal(context, file)
      return openFile(opened, validators, mediaHeaders(facts.mimeType, name), range)
    })
  },
})

/** Answers a scaled picture of a file. The first request makes the picture. */
export const getRendering = defineRoute({
  method: 'GET',
  root: 'base',
  path: '/media/{version}/{name}/{rendering}',
  doc: {
    id: 'getRendering',
    tag: 'Files',
    summary: 'Read a scaled picture of a file',
    description: 'A width that is not offered leads to the next larger one that is.',
    answer: { description: 'A picture', type: 'image/*' },
    otherAnswers: OTHER_ANSWERS,
    errors: ['rest-cannot-load-file', 'rest-thumbnail-failed', ...POOL_ERRORS],
  },
  params: { version: VERSION, name: NAME, rendering: text('`800px-` and the name of the file') },
  handler({ params, request }, context) {
    const { store, config } = context
    const file = requireLocal(store, params.name)
    const { name, facts } = file
    const size = pictureSize(facts)
    const width = Number(/^([1-9]\d{0,4})px-/.exec(params.rendering)?.[1])
    if (size === undefined || params.rendering !== pictureName(params.name, width, facts.mimeType)) {
      throw new HttpError('rest-cannot-load-file', [params.rendering])
    }
    const known = isOffered(size, width, facts.mimeType)
    if (!known || !isInForce(params, file)) {
      const rendering = known
        ? { width, height: 0, isOriginal: false }
        : thumbnailFor(size, width, facts.mimeType)
      return redirect(new FileUrls(config, request.baseUrl()).rendering(name, facts, rendering))
    }
    const validators = { etag: `"${facts.sha1}-${width}"`, lastModified: facts.timestamp }
    const range = { range: request.header('range'), ifRange: request.header('if-range') }
    return conditionally<Reply | Promise<Reply>>(request.conditions, validators, async () => {
      const opened = await openRendering(context, file, size, width)
      return openFile(opened, validators, mediaHeaders(pictureType(facts.mimeType), params.rendering), range)
    })
  },
})

/** Whether a URL has the current version and name of a file. */
function isInForce(params: { version: string; name: string }, { name, facts }: LocalFile): boolean {
  return params.version === fileVersion(facts.sha256) && params.name === name
}

/** Throws rest-cannot-load-file when the file does not exist, or another server has its contents. */
function requireLocal(store: HttpContext['store'], name: string): LocalFile {
  const file = store.findFile(name)
  if (file === undefined || file.facts.sha256 === null) throw new HttpError('rest-cannot-load-file', [name])
  const { dbkey, facts } = file
  return { name: dbkey, facts: { ...facts, sha256: file.facts.sha256 } }
}

/**
 * Throws rest-cannot-load-file when the contents were removed after the row was read. `verify` reports rows without
 * contents. In a cluster, another node may have them.
 */
async function openOriginal({ config, contents }: HttpContext, file: LocalFile): Promise<FileHandle> {
  const { name, facts } = file
  const path = originalPath(config.dataDir, facts.sha256)
  const opened = await openIfThere(path)
  if (opened !== undefined) return opened
  const hasCome = await contents?.fetch({ name, sha256: facts.sha256, sizeBytes: facts.sizeBytes })
  const late = hasCome === true ? await openIfThere(path) : undefined
  if (late === undefined) throw new HttpError('rest-cannot-load-file', [name])
  return late
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function openRendering(
  context: HttpContext,
  file: LocalFile,
  size: Size,
  width: number,
): Promise<FileHandle> {
  const { config, thumbnails, contents } = context
  const { name, facts } = file
  // A picture that could not be scaled is not tried again at once, so another node is asked before.
  if (contents !== undefined) await (await openOriginal(context, file)).close()
  const { sha256, mimeType } = facts
  const format = pictureFormat(mimeType) ?? 'png'
  try {
    return await thumbnails.open(`${sha256}-${width}.${format}`, {
      path: originalPath(config.dataDir, sha256),
      mimeType,
      maxPixels: MAX_IMAGE_PIXELS,
      width,
      height: Math.max(1, Math.round((width * size.height) / size.width)),
      format,
    })
  } catch (error) {
    if (!(error instanceof FileTaskError)) throw error
    // The scaling may have failed because the original is missing; then answer that it cannot be loaded.
    await (await openOriginal(context, file)).close()
    throw new HttpError('rest-thumbnail-failed', [name, error.message])
  }
}

/**
 * Header lines for a file of this type. Anyone may upload files, and browsers show them under the wiki's own origin:
 * SVG in a sandbox, while they save other types outside of SHOWN.
 */
function mediaHeaders(mimeType: string, name: string): string {
  return headerLines({
    'Content-Type': mimeType,
    'Cache-Control': FOR_EVER,
    'Accept-Ranges': 'bytes',
    ...(!SHOWN.test(mimeType) && { 'Content-Security-Policy': SANDBOX }),
    ...(!SHOWN.test(mimeType) &&
      mimeType !== SVG && { 'Content-Disposition': `attachment; filename*=UTF-8''${encodePercent(name)}` }),
  })
}

// Files: their facts and the URLs of their forms (spec 4.11).

/** Answers a file by its title, with or without a prefix. A title that is a redirect gives the target file. */
export const getFile = defineRoute({
  method: 'GET',
  path: '/file/{title}',
  doc: {
    id: 'getFile',
    tag: 'Files',
    summary: 'Read the facts of a file',
    description: 'Names of redirects lead to their file.',
    answer: { description: 'The file, and where its forms are', schema: ref('FileWithThumbnail') },
    errors: ['rest-nonexistent-title', 'rest-cannot-load-file'],
  },
  params: { title: fileTitle() },
  handler({ params, request, wiki }, { store, pages, config }) {
    const { asked, title } = params.title
    const view = fileView(config, request.baseUrl(), wiki)
    const file = title?.namespace === FILE ? store.findFile(title.dbkey) : undefined
    if (file === undefined || !view.urls.canShow(file.facts)) {
      throw new HttpError(isPage(title, pages) ? 'rest-cannot-load-file' : 'rest-nonexistent-title', [asked])
    }
    const { dbkey, facts } = file
    const validators = { etag: `"${facts.sha1}"`, lastModified: facts.timestamp }
    return conditionally(request.conditions, validators, () =>
      json(fileBodyWithThumbnail(dbkey, facts, view), validators),
    )
  },
})

function isPage(title: Title | undefined, pages: HttpContext['pages']): boolean {
  return title !== undefined && pages.find(title) !== undefined
}
