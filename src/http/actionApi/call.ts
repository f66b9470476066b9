/** Input and output of the modules of the action API. */
import type { Identity } from '../../auth/identities.js'
import type { HttpContext } from '../routing/route.js'
import type { RequestView } from '../request/requestView.js'
import type { Wiki } from '../request/wiki.js'
import type { ActionParameters } from './parameters.js'
import type { SessionCookie } from '../request/credentials.js'

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

/** The two JSON shapes of the action API: formatversion 1, the old one, and formatversion 2. */
export class Shape {
  readonly version: 1 | 2

  constructor(version: 1 | 2) {
    this.version = version
  }

  /** A boolean. The old shape has `""` for true, and omits false. */
  flag(name: string, value: boolean): Readonly<Record<string, unknown>> {
    if (this.version === 2) return { [name]: value }
    return value ? { [name]: '' } : {}
  }

  /** The main text of an object, called `*` in the old shape. */
  text(name: string, value: string): Readonly<Record<string, string>> {
    return { [this.version === 2 ? name : '*']: value }
  }

  warnings(byModule: ReadonlyMap<string, readonly string[]>): Readonly<Record<string, unknown>> {
    if (byModule.size === 0) return {}
    const entries = [...byModule].map(([module, texts]) => [module, this.text('warnings', texts.join('\n'))])
    return { warnings: Object.fromEntries(entries) as unknown }
  }
}
