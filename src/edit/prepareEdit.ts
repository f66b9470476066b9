/**
 * Turns the sent source into the text and comment to store, or into the reason to refuse it. Uses no clock, no random
 * numbers and no I/O.
 */
import { type KnownContentModel, SCRIBUNTO } from '../domain/contentModel.js'
import type { Title } from '../domain/title.js'
import { automaticSummary, type LinkedWiki, type SummarisedText } from './automaticSummary.js'
import { normaliseComment } from './comment.js'
import { chooseContentModel, formatForModel } from './contentModels.js'
import type { EditError } from './editErrors.js'
import type { CheckModule } from './moduleSource.js'
import { normaliseText } from './normaliseText.js'
import { labelLinks } from './pipeTrick.js'
import { sign, type Signer } from './signatures.js'
import { MAX_TEXT_BYTES, sizeError, tooBig } from './sizeLimit.js'
import type { Language } from '../language/language.js'
import { maySubstitute, type Substitute } from './substitution.js'

export interface EditRequest {
  readonly title: Title
  readonly source: string
  /** Null or blank: the server writes one. */
  readonly comment: string | null
  /** As the client states it. Undefined or empty: not stated. */
  readonly contentModel?: string | undefined
  readonly editor: Signer
  /** True if the editor may change the content model of a page. */
  readonly mayChangeContentModel: boolean
  /** Seconds since 1970, for signatures. */
  readonly time: number
  /** The latest revision of the page. Undefined: the page is new. */
  readonly latest?: SummarisedText | undefined
  /** Content model of the revision that the editor started from; undefined when none was given. */
  readonly baseContentModel?: string | undefined
}

/** Services of the wiki that preparation needs. */
export interface EditSurroundings extends LinkedWiki {
  readonly substitute: Substitute
  readonly checkModule: CheckModule
}

export interface PreparedEdit {
  readonly text: string
  readonly comment: string
  readonly contentModel: KnownContentModel
}

export type PreparationResult =
  { readonly ok: true; readonly edit: PreparedEdit } | { readonly ok: false; readonly error: EditError }

/**
 * Chooses the content model, normalises text and comment, and applies the changes of a save to the text. Wikitext gets
 * signatures, substitutions and short link labels; JSON gets its layout. A blank comment becomes a summary of the
 * change to the latest revision.
 *
 * Errors in the order of their checks: those of the model, `contenttoobig`, those of JSON and modules. The operation is
 * idempotent, including the comment, unless a template wrote something that a save acts upon.
 */
export function prepareEdit(request: EditRequest, surroundings: EditSurroundings): PreparationResult {
  const contentModel = chooseContentModel({
    title: request.title,
    namespaces: surroundings.namespaces,
    stated: request.contentModel,
    current: request.latest?.contentModel,
    base: request.baseContentModel,
    mayChange: request.mayChangeContentModel,
  })
  if (typeof contentModel !== 'string') return { ok: false, error: contentModel }
  const source = normaliseText(request.source)
  const text = prepareText(source, request, contentModel, surroundings)
  if (typeof text !== 'string') return { ok: false, error: text }
  const comment =
    normaliseComment(request.comment ?? '') ||
    normaliseComment(automaticSummary(request.latest, { text: source, contentModel }, surroundings))
  return { ok: true, edit: { text, comment, contentModel } }
}

/** In UTF-16 units. */
const QUICK_LENGTH = 20_000

/**
 * True if preparing a source takes about 0.1 ms; JSON takes 1 ms, and a hostile source some 3 ms. Other sources take up
 * to a second, since a substitution may insert long templates. They belong in a worker thread, as modules do: only
 * worker threads have Lua.
 */
export function isQuickToPrepare(source: string, contentModel: string, language: Language): boolean {
  return source.length <= QUICK_LENGTH && contentModel !== SCRIBUNTO && !maySubstitute(source, language)
}

function prepareText(
  source: string,
  request: EditRequest,
  contentModel: KnownContentModel,
  surroundings: EditSurroundings,
): string | EditError {
  const sourceError = sizeError(source)
  if (sourceError) return sourceError
  const text =
    contentModel === 'wikitext'
      ? transformWikitext(source, request, surroundings)
      : formatForModel(source, contentModel, surroundings.checkModule)
  if (typeof text !== 'string') return text
  return text === source ? text : (sizeError(text) ?? text)
}

/** Substitutions come first, since a template may contain a signature. */
function transformWikitext(
  source: string,
  { editor, time, title }: EditRequest,
  { namespaces, substitute }: EditSurroundings,
): string | EditError {
  const substituted = maySubstitute(source, namespaces.language) ? substitute(source) : source
  if (substituted.length > MAX_TEXT_BYTES) return tooBig()
  const signed = sign(substituted, editor, time, namespaces, MAX_TEXT_BYTES)
  const labelled = signed && labelLinks(signed, title.dbkey.replaceAll('_', ' '), MAX_TEXT_BYTES)
  if (labelled === undefined) return tooBig()
  return labelled === source ? source : normaliseText(labelled)
}
