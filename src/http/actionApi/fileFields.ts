/** Fields of files in answers of several modules. */
import { FILE } from '../../domain/namespaceIds.js'
import { formatTimestamp } from '../../domain/timestamp.js'
import { prefixedKey } from '../../domain/title.js'
import { FileUrls } from '../../files/fileUrls.js'
import { pictureSize, pictureType, type Size, thumbnailFor } from '../../files/pictureForms.js'
import type { NamedFile } from '../../storage/pages/files.js'
import type { ListedEvent } from '../../storage/changes/logEventReader.js'
import type { ActionCall } from './frame/call.js'
import type { Fields } from './frame/values.js'
import { addressesOf } from './addresses.js'
import { parsedComment, userFields } from './revisionFields.js'

export const FILE_PROPERTIES = [
  'timestamp',
  'user',
  'userid',
  'comment',
  'parsedcomment',
  'canonicaltitle',
  'url',
  'size',
  'dimensions',
  'sha1',
  'mime',
  'thumbmime',
  'mediatype',
  'metadata',
  'commonmetadata',
  'extmetadata',
  'bitdepth',
  'archivename',
  'uploadwarning',
  'badfile',
] as const
export type FileProperty = (typeof FILE_PROPERTIES)[number]

export interface Scaled extends Size {
  readonly source: string
}

export class FilePictures {
  readonly #urls: FileUrls

  constructor({ context, baseUrl }: Pick<ActionCall, 'context' | 'baseUrl'>) {
    // Some clients cannot read relative URLs.
    this.#urls = new FileUrls(context.config, baseUrl)
  }

  original({ dbkey, facts }: NamedFile): Scaled | undefined {
    if (!this.#urls.canShow(facts)) return undefined
    return { source: this.#urls.original(dbkey, facts), width: facts.width ?? 0, height: facts.height ?? 0 }
  }

  /** A picture within a box. The one behind the URL may be larger: only some widths are made. */
  within(file: NamedFile, box: Partial<Size>): Scaled | undefined {
    const { dbkey, facts } = file
    const size = pictureSize(facts)
    if (size === undefined || !this.#urls.canScale(facts) || !this.#urls.canShow(facts)) return undefined
    const scale = Math.min(1, (box.width ?? Infinity) / size.width, (box.height ?? Infinity) / size.height)
    if (scale === 1) return this.original(file)
    const width = Math.max(1, Math.round(size.width * scale))
    const height = Math.max(1, Math.round(size.height * scale))
    const source = this.#urls.rendering(dbkey, facts, thumbnailFor(size, width, facts.mimeType))
    return { source, width, height }
  }
}

/** `box` is the size of the picture that is wanted beside the URL of the file. */
export function fileFields(
  file: NamedFile,
  wanted: ReadonlySet<FileProperty>,
  call: ActionCall,
  box?: Partial<Size>,
): Fields {
  const { facts, dbkey } = file
  const title = { namespace: FILE, dbkey }
  const key = prefixedKey(title, call.wiki.namespaces)
  const isSized = wanted.has('size') || wanted.has('dimensions')
  const event = UPLOAD_PROPERTIES.some((name) => wanted.has(name)) ? uploadEvent(file, call) : undefined
  const comment = event?.comment ?? ''
  return {
    ...(wanted.has('timestamp') && { timestamp: formatTimestamp(facts.timestamp) }),
    ...userFields(event === undefined ? facts.uploader : event.performer, {
      user: wanted.has('user'),
      userid: wanted.has('userid'),
    }),
    ...(wanted.has('comment') && { comment }),
    ...(wanted.has('parsedcomment') && { parsedcomment: parsedComment(comment, title, call) }),
    ...(wanted.has('canonicaltitle') && { canonicaltitle: key.replaceAll('_', ' ') }),
    ...(isSized && { size: facts.sizeBytes, width: facts.width ?? 0, height: facts.height ?? 0 }),
    ...(isSized && facts.durationSeconds !== null && { duration: facts.durationSeconds }),
    ...(wanted.has('url') && urlFields(file, key, call, box)),
    ...(wanted.has('sha1') && { sha1: hexOf(facts.sha1) }),
    ...(wanted.has('mime') && { mime: facts.mimeType }),
    ...(wanted.has('thumbmime') && box !== undefined && { thumbmime: pictureType(facts.mimeType) }),
    ...(wanted.has('mediatype') && { mediatype: facts.mediaType }),
    ...(wanted.has('metadata') && { metadata: [] }),
    ...(wanted.has('commonmetadata') && { commonmetadata: [] }),
    ...(wanted.has('extmetadata') && { extmetadata: extended(file) }),
    ...(wanted.has('bitdepth') && { bitdepth: 8 }),
    ...(wanted.has('badfile') && { badfile: false }),
  }
}

/** What the log tells of an upload. */
const UPLOAD_PROPERTIES = ['user', 'userid', 'comment', 'parsedcomment'] as const
/** Uploads of one title to look through. */
const MAX_UPLOADS = 100

/** The log entry of an upload: dumps of tables have neither its user nor its comment. */
function uploadEvent({ facts, dbkey }: NamedFile, { context }: ActionCall): ListedEvent | undefined {
  const { logEvents } = context.store
  let read = 0
  const { timestamp } = facts
  for (const event of logEvents.list({ title: { namespace: FILE, dbkey }, type: 'upload' })) {
    if (event.timestamp === timestamp) return event
    if (event.timestamp < timestamp || read++ === MAX_UPLOADS) break
  }
  return undefined
}

function urlFields(file: NamedFile, key: string, call: ActionCall, box?: Partial<Size>): Fields {
  const pictures = new FilePictures(call)
  const addresses = addressesOf(call)
  const scaled = box && pictures.within(file, box)
  return {
    ...(scaled && { thumburl: scaled.source, thumbwidth: scaled.width, thumbheight: scaled.height }),
    ...(scaled &&
      scaled.width < (file.facts.width ?? 0) && { responsiveUrls: responsive(file, scaled, pictures) }),
    url: pictures.original(file)?.source ?? '',
    descriptionurl: addresses.url(key),
    descriptionshorturl: addresses.url(key),
  }
}

/** For screens with more pixels. */
function responsive(file: NamedFile, { width }: Size, pictures: FilePictures): Fields {
  const at = (scale: number): string | undefined =>
    pictures.within(file, { width: Math.round(width * scale) })?.source
  return { '1.5': at(1.5), '2': at(2) }
}

const extended = ({ dbkey, facts }: NamedFile): Fields => ({
  DateTime: { value: formatTimestamp(facts.timestamp), source: 'mediawiki-metadata', hidden: '' },
  ObjectName: {
    value: dbkey.replace(/\.[^.]*$/, '').replaceAll('_', ' '),
    source: 'mediawiki-metadata',
    hidden: '',
  },
})

/** Forty hexadecimal digits of a hash in base 36. */
export function hexOf(base36: string): string {
  let value = 0n
  for (const digit of base36) value = value * 36n + BigInt(parseInt(digit, 36))
  return value.toString(16).padStart(40, '0')
}
