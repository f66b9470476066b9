/**
 * What a save makes of what was sent: the text and comment to store, or the reason why not. No clock, no chance, no
 * I/O.
 */
import type { KnownContentModel } from '../domain/contentModel.js'
import type { Title } from '../domain/title.js'
import { automaticSummary, type LinkedWiki, type SummarisedText } from './automaticSummary.js'
import { normaliseComment } from './comment.js'
import { chooseContentModel, formatForModel } from './contentModels.js'
import type { EditError } from './editErrors.js'
import { normaliseText } from './normaliseText.js'
import { labelLinks } from './pipeTrick.js'
import { sign, type Signer } from './signatures.js'
import { MAX_TEXT_BYTES, sizeError, tooBig } from './sizeLimit.js'
import { maySubstitute, type Substitute } from './substitution.js'

export interface EditRequest {
  readonly title: Title
  readonly source: string
  /** Null or blank: the server writes one. */
  readonly comment: string | null
  /** As the client states it; undefined or empty: not stated. */
  readonly contentModel?: string | undefined
  readonly editor: Signer
  /** Whether the editor may give a page another content model. */
  readonly mayChangeContentModel: boolean
  /** Seconds since 1970, for signatures. */
  readonly time: number
  /** The latest revision of the page; undefined: the page is new. */
  readonly latest?: SummarisedText | undefined
  /** Content model of the revision that the editor started from; undefined when none was given. */
  readonly baseContentModel?: string | undefined
}

/** What the wiki is asked for. */
export interface EditSurroundings extends LinkedWiki {
  readonly substitute: Substitute
}

export interface PreparedEdit {
  readonly text: string
  readonly comment: string
  readonly contentModel: KnownContentModel
}

export type PreparationResult =
  { readonly ok: true; readonly edit: PreparedEdit } | { readonly ok: false; readonly error: EditError }

/**
 * Chooses the content model, normalises text and comment, and carries out what a save does to the text: signatures,
 * substitutions and short link labels in wikitext, layout in JSON. A blank comment becomes a summary of what the
 * source does to the latest revision. Errors in the order of their checks: those of the model, `contenttoobig`,
 * `invalid-json-data`. Preparing the result once more, comment included, changes nothing, unless a template wrote
 * something that a save acts upon.
 */
export function prepareEdit(request: EditRequest, surroundings: EditSurroundings): PreparationResult {
  const contentModel = chooseContentModel({
    title: request.title,
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
 * Whether a source is prepared in about a tenth of a millisecond, JSON in one, or some three where somebody made it to
 * be slow. Others take up to a second, since a substitution may bring long templates, and belong in a thread.
 */
export function isQuickToPrepare(source: string): boolean {
  return source.length <= QUICK_LENGTH && !maySubstitute(source)
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
      : formatForModel(source, contentModel)
  if (typeof text !== 'string') return text
  return text === source ? text : (sizeError(text) ?? text)
}

/** Substitutions come first: a template may bring a signature with it. */
function transformWikitext(
  source: string,
  { editor, time, title }: EditRequest,
  { namespaces, substitute }: EditSurroundings,
): string | EditError {
  const substituted = maySubstitute(source) ? substitute(source) : source
  if (substituted.length > MAX_TEXT_BYTES) return tooBig()
  const signed = sign(substituted, editor, time, namespaces, MAX_TEXT_BYTES)
  const labelled = signed && labelLinks(signed, title.dbkey.replaceAll('_', ' '), MAX_TEXT_BYTES)
  if (labelled === undefined) return tooBig()
  return labelled === source ? source : normaliseText(labelled)
}
