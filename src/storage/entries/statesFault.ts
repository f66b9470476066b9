/** Checks states of a followed wiki, which come from another machine, before they become an entry or rows. */
import { MEDIA_TYPES } from '../../domain/file.js'
import { type Interwiki, interwikiFault } from '../../domain/interwiki.js'
import { PROTECTION_LEVELS } from '../../domain/protection.js'
import type { WikiRules } from '../../domain/site.js'
import { titleId } from '../../domain/title.js'
import { presentPages, type UpstreamPage, type UpstreamStates } from '../../domain/upstream.js'
import {
  type Check,
  faultyField,
  type Fields,
  isCount,
  isDbkey,
  isFlag,
  isId,
  isName,
  isNamespace,
  isObject,
  isSize,
  isText,
  isWellFormedText,
  listOf,
  nullable,
  oneOf,
  optional,
  withFields,
} from './entryFields.js'

const isNumber: Check = (value) => Number.isFinite(value) && (value as number) >= 0
const isNamespaceOrVirtual: Check = (value) => value === -1 || value === -2 || isNamespace(value)
const isTitleCase = oneOf('first-letter', 'case-sensitive')
const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value)

const TITLE = { namespace: isNamespace, dbkey: isDbkey }
const EDITOR = withFields({ id: nullable(isId), name: isWellFormedText })
const LEVEL = oneOf(...PROTECTION_LEVELS)
const PROTECTION: Fields = {
  ...TITLE,
  edit: LEVEL,
  create: LEVEL,
  expires: nullable(isCount),
  move: optional(LEVEL),
  moveExpires: optional(nullable(isCount)),
  cascades: optional(isFlag),
}

const ADDED: Fields = {
  id: isId,
  parentId: optional(isCount),
  timestamp: isCount,
  editor: optional(EDITOR),
  comment: optional(isWellFormedText),
  minor: isFlag,
  contentModel: isName,
  text: optional(isWellFormedText),
  statedSizeBytes: optional(isCount),
  statedSha1: optional(isText),
  sameTextAs: optional(isId),
  // Only a saved edit makes revisions here.
  madeHere: (value) => value === undefined,
}
const SHOWN: Fields = {
  id: isId,
  editor: optional(EDITOR),
  comment: optional(isWellFormedText),
  isTextShown: isFlag,
  text: optional(isWellFormedText),
}
const GONE: Fields = { id: isId, gone: (value) => value === true }
const PRESENT: Fields = {
  id: isId,
  ...TITLE,
  latestId: isId,
  redirectTarget: nullable(isWellFormedText),
  add: listOf(withFields(ADDED)),
  take: listOf(isId),
  remove: listOf(isId),
  change: listOf(withFields(SHOWN)),
}
const FACTS: Fields = {
  sizeBytes: isSize,
  width: nullable(isNumber),
  height: nullable(isNumber),
  durationSeconds: nullable(isNumber),
  mediaType: oneOf(...MEDIA_TYPES),
  mimeType: isWellFormedText,
  sha1: matches(/^[0-9a-z]{31}$/),
  uploader: optional(EDITOR),
  timestamp: isCount,
  sha256: nullable(matches(/^[0-9a-f]{64}$/)),
}
const isTexts = listOf(isWellFormedText)
const everyValue =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value as object).every(check)
const isAlias: Check = (value) =>
  Array.isArray(value) && value.length === 2 && isWellFormedText(value[0]) && isNamespaceOrVirtual(value[1])
const RULES: Fields & Record<keyof WikiRules, Check> = {
  aliases: optional(listOf(isAlias)),
  subpages: optional(everyValue(isFlag)),
  stringFunctions: optional(isFlag),
  localDigits: optional(isFlag),
  extensionTags: optional(isTexts),
  protocols: optional(isTexts),
  fileExtensions: optional(isTexts),
  logo: optional(isWellFormedText),
  specialPages: optional(everyValue(isTexts)),
}
const SITE: Fields = {
  ...RULES,
  name: isWellFormedText,
  wikiId: isWellFormedText,
  language: isWellFormedText,
  base: isWellFormedText,
  case: isTitleCase,
  namespaces: listOf(withFields({ id: isNamespaceOrVirtual, name: isWellFormedText, case: isTitleCase })),
  license: withFields({ url: isWellFormedText, title: isWellFormedText }),
  bots: listOf(isWellFormedText),
}
const isInterwiki: Check = (value) =>
  withFields({ prefix: isText, url: isText, language: optional(isWellFormedText) })(value) &&
  interwikiFault(value as Interwiki) === undefined

/** Checks of the fields of an entry with states. */
export const STATES_FIELDS: Fields & Record<keyof UpstreamStates, Check> = {
  pages: listOf((page) => isObject(page) && pageFault(page as UpstreamPage) === undefined),
  files: listOf(withFields({ dbkey: isDbkey, facts: nullable(withFields(FACTS)) })),
  protections: listOf(withFields(PROTECTION)),
  renames: listOf(withFields({ userId: isId, name: (name) => isWellFormedText(name) && name !== '' })),
  bots: optional(listOf(isWellFormedText)),
  site: optional(withFields(SITE)),
  interwiki: optional(listOf(isInterwiki)),
}

/**
 * Reason why no row can hold these states, with the field at fault; undefined if rows can. An entry with such states is
 * `invalid` as a whole, so a follower leaves out what `pageFault` or this function refuses.
 */
export function statesFault(states: UpstreamStates): string | undefined {
  const faulty = faultyField(states, STATES_FIELDS)
  if (faulty !== undefined) return `${faulty} is missing or malformed`
  return clashIn(states)
}

/** Reason why no row can hold a page's state; undefined if rows can. */
export function pageFault(page: UpstreamPage): string | undefined {
  const faulty = faultyField(page, 'gone' in page ? GONE : PRESENT)
  if (faulty !== undefined) return `${faulty} is missing or malformed`
  if ('gone' in page) return undefined
  const two = page.add.find(({ text, sameTextAs }) => text !== undefined && sameTextAs !== undefined)
  return two && `revision ${two.id} has a text, and that of revision ${two.sameTextAs}`
}

/** States of one batch that contradict each other. */
export function clashIn({ pages, files, protections, renames }: UpstreamStates): string | undefined {
  const present = presentPages(pages)
  const comings = present.flatMap(({ add, take }) => [...add.map(({ id }) => id), ...take])
  return (
    twice(
      'page',
      pages.map(({ id }) => id),
    ) ??
    twice('title', present.map(titleId)) ??
    twice('revision', comings) ??
    twice(
      'file',
      files.map(({ dbkey }) => dbkey),
    ) ??
    twice('protection', protections.map(titleId)) ??
    twice(
      'user',
      renames.map(({ userId }) => userId),
    )
  )
}

function twice(what: string, names: readonly (string | number)[]): string | undefined {
  const seen = new Set<string | number>()
  for (const name of names) {
    if (seen.has(name)) return `${what} ${name} has two states`
    seen.add(name)
  }
  return undefined
}
