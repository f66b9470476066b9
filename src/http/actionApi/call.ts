/** Input and output of the modules of the action API. */
import type { Identity } from '../../auth/identities.js'
import type { HttpContext } from '../routing/route.js'
import type { RequestView } from '../request/requestView.js'
import type { Wiki } from '../request/wiki.js'
import type { ActionParameters } from './parameters.js'
import type { SessionCookie } from '../request/credentials.js'
import type { Shape } from './shape.js'

export interface ActionCall {
  readonly parameters: ActionParameters
  readonly shape: Shape
  readonly cookie: SessionCookie
  readonly identity: Identity
  readonly request: RequestView
  readonly wiki: Wiki
  readonly context: HttpContext
}

/** Fields of the answer. */
export type ActionResult = Readonly<Record<string, unknown>>
export type ActionModule = (call: ActionCall) => ActionResult | Promise<ActionResult>
