/** Chooses the content model of an edit, and brings the text into the form that the model stores. */
import {
  defaultContentModel,
  isModelAllowed,
  KNOWN_CONTENT_MODELS,
  type KnownContentModel,
  SCRIBUNTO,
} from '../domain/contentModel.js'
import type { Namespaces } from '../domain/namespaces.js'
import { prefixedText, type Title } from '../domain/title.js'
import { editError, type EditError } from './editErrors.js'
import { layOutJson } from './jsonSource.js'
import { type CheckModule, moduleError } from './moduleSource.js'
import { MAX_TEXT_BYTES, tooBig } from './sizeLimit.js'

export interface ModelChoice {
  readonly title: Title
  /** Of the wiki, for titles in messages. */
  readonly namespaces: Namespaces
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
 * - `contentmodel-mismatch`: none is stated, and the page has a model other than the base revision
 * - `cantchangecontentmodel`: the stated model is not the page's, and the editor may not change it
 * - `content-not-allowed-here`: the namespace does not take the model
 */
export function chooseContentModel(choice: ModelChoice): KnownContentModel | EditError {
  const { title, stated, base, namespaces } = choice
  if (stated && !isKnownContentModel(stated)) return editError('rest-bad-content-model', stated)
  const current = expectedContentModel({ ...choice, stated: undefined })
  const model = stated || (base ?? current)
  if (!isKnownContentModel(model)) return editError('rest-bad-content-model', model)
  if (changesContentModel(model, current)) {
    if (!stated) return editError('contentmodel-mismatch', model, current)
    if (!choice.mayChange) return editError('cantchangecontentmodel')
  }
  if (isModelAllowed(model, title.namespace)) return model
  const name = MODEL_NAMES.get(model) ?? model
  return editError('content-not-allowed-here', name, prefixedText(title, namespaces), MAIN_SLOT)
}

/** Names of models in MediaWiki's messages, as far as messages here name them. */
const MODEL_NAMES: ReadonlyMap<KnownContentModel, string> = new Map([[SCRIBUNTO, 'Scribunto module']])
const MAIN_SLOT = 'main'

/** The model that an edit gives its page, as far as that can be told without reading the base revision. */
export function expectedContentModel({
  title,
  stated,
  current,
}: Pick<ModelChoice, 'title' | 'stated' | 'current'>): string {
  return stated || (current ?? defaultContentModel(title.namespace, title.dbkey))
}

export function changesContentModel(model: string, current: string): boolean {
  return model !== current
}

/**
 * The text as its model stores it. JSON is checked and laid out with tabs, modules are checked; other models keep the
 * text. Errors: `invalid-json-data`, also for an empty text, `contenttoobig` when the layout makes the text too long,
 * and those of `moduleError`.
 */
export function formatForModel(
  text: string,
  model: KnownContentModel,
  checkModule: CheckModule = () => undefined,
): string | EditError {
  if (model === SCRIBUNTO) {
    const fault = checkModule(text)
    return fault === undefined ? text : moduleError(fault)
  }
  if (model !== 'json') return text
  const layout = layOutJson(text, MAX_TEXT_BYTES)
  if (layout.ok) return layout.text
  if (layout.problem === 'size') return tooBig()
  return editError('invalid-json-data', JSON_PROBLEMS[layout.problem])
}

const JSON_PROBLEMS = { syntax: 'Syntax error', depth: 'Maximum stack depth exceeded' } as const
