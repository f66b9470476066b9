/** Chooses the content model of an edit, and brings the text into the form that the model stores. */
import { defaultContentModel, KNOWN_CONTENT_MODELS, type KnownContentModel } from '../domain/contentModel.js'
import type { Title } from '../domain/title.js'
import { editError, type EditError } from './editErrors.js'
import { layOutJson } from './jsonSource.js'
import { MAX_TEXT_BYTES, tooBig } from './sizeLimit.js'

export interface ModelChoice {
  readonly title: Title
  /** As the client states it. Undefined or empty: not stated. */
  readonly stated: string | undefined
  /** Model of the page's latest revision; undefined for a new page. */
  readonly current: string | undefined
  /** Model of the revision that the editor started from; undefined when none was given. */
  readonly base: string | undefined
  /** True if the editor may change the content model of a page. */
  readonly mayChange: boolean
}

/** True if texts of this model can be edited here. */
export function isKnownContentModel(model: string): model is KnownContentModel {
  return (KNOWN_CONTENT_MODELS as readonly string[]).includes(model)
}

/**
 * The model of the new revision: the stated one, else that of the base revision, of the page, or of the title. Errors:
 * - `rest-bad-content-model`: the model is unknown
 * - `cantchangecontentmodel`: the stated model is not the page's, and the editor may not change it
 * - `contentmodel-mismatch`: none is stated, and the page has a model other than the base revision
 */
export function chooseContentModel(choice: ModelChoice): KnownContentModel | EditError {
  const { title, stated, base } = choice
  if (stated && !isKnownContentModel(stated)) return editError('rest-bad-content-model', stated)
  const current = choice.current ?? defaultContentModel(title.namespace, title.dbkey)
  const model = stated || (base ?? current)
  if (!isKnownContentModel(model)) return editError('rest-bad-content-model', model)
  if (!changesContentModel(model, current)) return model
  if (!stated) return editError('contentmodel-mismatch', model, current)
  return choice.mayChange ? model : editError('cantchangecontentmodel')
}

export function changesContentModel(model: string, current: string): boolean {
  return model !== current
}

/**
 * The text as its model stores it. JSON is checked and laid out with tabs; other models keep the text. Errors:
 * `invalid-json-data`, also for an empty text, and `contenttoobig` when the layout makes the text too long.
 */
export function formatForModel(text: string, model: KnownContentModel): string | EditError {
  if (model !== 'json') return text
  const layout = layOutJson(text, MAX_TEXT_BYTES)
  if (layout.ok) return layout.text
  if (layout.problem === 'size') return tooBig()
  return editError('invalid-json-data', JSON_PROBLEMS[layout.problem])
}

const JSON_PROBLEMS = { syntax: 'Syntax error', depth: 'Maximum stack depth exceeded' } as const
