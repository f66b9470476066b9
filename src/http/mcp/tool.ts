/** What a tool is. */
import type { ToolAnswer, ToolCall } from './call.js'
import type { Schema } from './schemas.js'

export interface Tool<Input> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Schema
  readonly output: Schema
  /** Throws a ToolError, and the errors of the API. */
  readonly run: (input: Input, call: ToolCall) => ToolAnswer | Promise<ToolAnswer>
}
