/** Which content model an edit gives a page, and what the model makes of the text. */
import { defaultContentModel, KNOWN_CONTENT_MODELS, type KnownContentModel } from '../domain/contentModel.js'
import type { Title } from '../domain/title.js'
import { editError, type EditError } from './editErrors.js'
import { layOutJson } from './jsonSource.js'
import { MAX_TEXT_BYTES, tooBig } from './sizeLimit.js'

export interface ModelChoice {
  readonly title: Title
  /** As the client states it; undefined and empty: not stated. */
  readonly stated: string | undefined
  /** Model of the page's latest revision; undefined for a new page. */
  readonly current: string | undefined
  /** Model of the revision that the editor started from; undefined when none was given. */
  readonly base: string | undefined
  /** Whether the editor may give a page another model. */
  readonly mayChange: boolean
}

/** Whether a model is one whose texts can be edited here. */
export function isKnownContentModel(model: string): model is KnownContentModel {
  return (KNOWN_CONTENT_MODELS as readonly string[]).includes(model)
}

/**
 * The model of the new revision: as stated, or that of the base revision, of the page, or of the title. Errors:
 * `rest-bad-content-model`, `cantchangecontentmodel` for a stated model that is not the page's, and
 * `contentmodel-mismatch` when none is stated and the page has got another model since the base.
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
 * The text as its model stores it: JSON is checked and laid out with tabs, the other models leave the text alone.
 * Errors: `invalid-json-data`, also for an empty text, and `contenttoobig` when laying out makes it too long.
 */
export function formatForModel(text: string, model: KnownContentModel): string | EditError {
  if (model !== 'json') return text
  const layout = layOutJson(text, MAX_TEXT_BYTES)
  if (layout.ok) return layout.text
  if (layout.problem === 'size') return tooBig()
  return editError('invalid-json-data', JSON_PROBLEMS[layout.problem])
}

const JSON_PROBLEMS = { syntax: 'Syntax error', depth: 'Maximum stack depth exceeded' } as const
