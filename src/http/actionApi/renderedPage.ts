/** HTML of pages for modules of the action API: kept, or made by the render pool. */
import { HttpError } from '../reply/errors.js'
import { ownBody, type PackedPart } from '../../storage/html/packedHtml.js'
import { decodeOutline, type Outline } from '../../domain/outline.js'
import { withHtml } from '../views/html.js'
import type { ActionCall } from './frame/call.js'
import { ActionError } from './frame/problems.js'

/** A rendering. Its parts own their memory. */
export interface RenderedPage {
  readonly outline: Outline
  /** The inside of the body. */
  readonly body: readonly PackedPart[]
}

/** Throws an ActionError for a page that cannot be rendered. Errors of a full pool keep their own status. */
export async function renderedPage(revisionId: number, call: ActionCall): Promise<RenderedPage> {
  const request = { clientAddress: () => call.client, conditions: call.request.conditions }
  try {
    const page = { revisionId, request, isCurrent: () => true }
    return await withHtml(page, call.context, ({ packedHtml, outline }) => {
      return { outline: decodeOutline(outline), body: ownBody(packedHtml) }
    })
  } catch (error) {
    if (error instanceof HttpError && error.status === 500)
      throw new ActionError('internal_api_error_RenderError', error.message)
    throw error
  }
}
