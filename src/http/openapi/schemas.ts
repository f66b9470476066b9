/** JSON Schemas of the API's objects. Answers may contain further fields, and clients should ignore unknown ones. */
import type { JsonSchema } from '../request/params.js'

export const object = (
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})
export const list = (items: JsonSchema, limits: JsonSchema = {}) => ({ type: 'array', items, ...limits })
export const integer = (description?: string) => ({ type: 'integer', ...(description && { description }) })
export const number = (description?: string) => ({ type: 'number', ...(description && { description }) })
export const text = (description?: string) => ({ type: 'string', ...(description && { description }) })
export const orNull = (schema: { readonly type: string } & JsonSchema) => ({
  ...schema,
  type: [schema.type, 'null'],
})

const id = integer('above 0')
const timestamp = { type: 'string', format: 'date-time', description: 'ISO 8601, UTC, to the second' }
const key = text('title for URLs, with underscores')
const title = text('title for readers, with blanks')
const byteOffset = integer('in bytes of UTF-8, from 0')

/** Fields common to all page objects. */
const pageFields = {
  id,
  key,
  title,
  latest: object({ id, timestamp }),
  content_model: text(
    'kind of the source: wikitext, css, javascript, json, text, Scribunto, sanitized-css, …',
  ),
  license: { $ref: '#/components/schemas/License' },
}
const fileForm = { $ref: '#/components/schemas/FileForm' }
const fileFields = {
  title: text('name of the file, without its namespace'),
  file_description_url: text('of the page about the file'),
  latest: object({
    timestamp,
    user: {
      ...object({ id: integer('0 for an uploader without an account'), name: text() }),
      type: ['object', 'null'],
      description: 'null when nobody knows who uploaded the file',
    },
  }),
  preferred: fileForm,
  original: fileForm,
}
const revisionFields = {
  id,
  timestamp,
  minor: { type: 'boolean' },
  size: integer('of the source, in bytes'),
  comment: { ...orNull(text()), description: 'null when hidden; empty or null when there is none' },
  user: {
    ...orNull(
      object({ id: { ...orNull(integer()), description: 'null for an anonymous editor' }, name: text() }),
    ),
    description: 'null when hidden',
  },
  delta: {
    ...orNull(integer()),
    description: 'change in bytes against the revision before; null when that is not known',
  },
}
const singleRevisionFields = {
  ...revisionFields,
  size: orNull(integer('of the source, in bytes')),
  content_model: text(),
  page: object({ id, key, title }),
  license: { $ref: '#/components/schemas/License' },
}
const url = { type: 'string', format: 'uri-reference' }
const comparedSide = object({
  id,
  slot_role: { const: 'main' },
  sections: list(object({ level: integer(), heading: text(), offset: byteOffset })),
})

const changes = object({ diff: list({ $ref: '#/components/schemas/DiffEntry' }) })

export const SCHEMAS = {
  License: object({ url: text(), title: text() }),
  Page: object({ ...pageFields, html_url: url }),
  PageHtml: object({ ...pageFields, html: text('of the latest text: a whole document') }),
  PageSource: object({ ...pageFields, source: text('the latest text') }),
  LanguageLink: object({ code: text('language'), name: text('of the language, in itself'), key, title }),
  SearchResult: object(
    {
      id,
      key,
      title,
      excerpt: text('HTML; what was found is in <span class="searchmatch">'),
      matched_title: { ...orNull(text()), description: 'of the redirect that was found' },
      description: orNull(text()),
      thumbnail: {
        ...object({
          mimetype: text(),
          size: orNull(integer()),
          width: integer(),
          height: integer(),
          duration: orNull({ type: 'number' }),
          url: text(),
        }),
        type: ['object', 'null'],
      },
    },
    ['matched_title'],
  ),
  SearchResults: object(
    {
      pages: list({ $ref: '#/components/schemas/SearchResult' }, { maxItems: 100 }),
      suggestion: text('the query in another spelling, if it found nothing and has words that no page has'),
    },
    ['suggestion'],
  ),
  FileForm: object({
    mediatype: text('BITMAP, DRAWING, AUDIO, VIDEO, …'),
    size: { ...orNull(integer('of the original, in bytes')), description: 'null for a scaled picture' },
    width: integer(),
    height: integer(),
    duration: { ...orNull({ type: 'number' }), description: 'in seconds' },
    url: text(),
  }),
  File: object(fileFields),
  FileWithThumbnail: object({ ...fileFields, thumbnail: fileForm }),
  HistoryRevision: object(revisionFields),
  HistorySegment: object(
    {
      revisions: list({ $ref: '#/components/schemas/HistoryRevision' }, { maxItems: 20 }),
      latest: { ...url, description: 'URL of the newest segment' },
      older: { ...url, description: 'URL of the next older segment, when there is one' },
      newer: { ...url, description: 'URL of the next newer segment, when there is one' },
    },
    ['older', 'newer'],
  ),
  HistoryCount: object({
    count: { type: 'integer', minimum: 0 },
    limit: {
      type: 'boolean',
      description: 'whether there are more; the count is then the highest that is told',
    },
  }),
  Revision: object({ ...singleRevisionFields, html_url: url }),
  RevisionHtml: object({ ...singleRevisionFields, html: text('a whole document') }),
  RevisionSource: object({ ...singleRevisionFields, source: text() }),
  Comparison: object({
    from: comparedSide,
    to: comparedSide,
    diff: list({ $ref: '#/components/schemas/DiffEntry' }),
  }),
  DiffEntry: object(
    {
      type: {
        enum: [0, 1, 2, 3, 4, 5],
        description: 'context, added, deleted, changed, moved from here, moved to here',
      },
      lineNumber: integer('in `to`, or where it would be there; from 1'),
      text: text(),
      highlightRanges: list(
        object({
          start: byteOffset,
          length: integer('in bytes'),
          type: { enum: [0, 1], description: 'added, deleted' },
        }),
      ),
      moveInfo: object({
        id: text(),
        linkId: text(),
        linkDirection: { enum: [0, 1], description: 'down, up' },
      }),
      offset: object({ from: orNull(byteOffset), to: orNull(byteOffset) }),
    },
    ['lineNumber', 'highlightRanges', 'moveInfo'],
  ),
  Error: object(
    {
      errorKey: text('stable name of the error'),
      messageTranslations: object({ en: text() }),
      message: text('in place of translations, for errors that have none'),
      httpCode: integer('status of the answer'),
      httpReason: text(),
      error: {
        enum: ['parameter-validation-failed', 'no-content-type', 'rest-cross-origin-anon-write'],
        description: 'of errors of parameters, and of two others',
      },
      name: text('of the parameter'),
      value: orNull(text('of the parameter, null when it is absent')),
      failureCode: { enum: ['missingparam', 'badinteger', 'badbool', 'badvalue', 'outofrange'] },
      failureData: {
        anyOf: [
          object({ min: integer(), curmax: integer(), max: integer(), highmax: integer() }),
          { type: 'array', items: {}, maxItems: 0 },
          { type: 'null' },
        ],
        description: 'the bounds for `outofrange`, nothing otherwise',
      },
      content_type: text('that was sent and is not taken'),
      actionModuleErrorCode: text('why an edit is refused'),
      base: integer('of an edit conflict: the revision that the edit was made from'),
      current: integer('of an edit conflict: the latest revision of the page'),
      local: { ...changes, description: 'from `base` to the text that was sent' },
      remote: { ...changes, description: 'from `base` to `current`' },
    },
    [
      'messageTranslations',
      'message',
      'error',
      'name',
      'value',
      'failureCode',
      'failureData',
      'content_type',
      'actionModuleErrorCode',
      'base',
      'current',
      'local',
      'remote',
    ],
  ),
} as const satisfies Readonly<Record<string, JsonSchema>>

/** A reference to one of these schemas. */
export const ref = (name: keyof typeof SCHEMAS): JsonSchema => ({ $ref: `#/components/schemas/${name}` })
