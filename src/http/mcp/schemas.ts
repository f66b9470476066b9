/** JSON Schemas of what tools take and answer. */

export type Schema = Readonly<Record<string, unknown>>

export const text = (description: string, maxLength = 1000): Schema => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
})

export const count = (description: string, minimum: number, maximum: number, given?: number): Schema => ({
  type: 'integer',
  minimum,
  maximum,
  description,
  ...(given !== undefined && { default: given }),
})

export const revisionId = (description: string): Schema => count(description, 1, 0xffff_ffff)

/** Of a tool's input: nothing else is accepted. */
export const input = (properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const STRING = { type: 'string' }
const INTEGER = { type: 'integer' }

/** Of an answer, by the type of each field; a `?` at the end of a name means that it may be absent. */
export function fields(types: Readonly<Record<string, Schema | 'string' | 'integer' | 'boolean'>>): Schema {
  const entries = Object.entries(types).map(([name, type]) => ({
    name: name.replace(/\?$/, ''),
    isRequired: !name.endsWith('?'),
    schema: typeof type === 'string' ? { type } : type,
  }))
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(({ name, schema }) => [name, schema])),
    required: entries.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  }
}

export const list = (items: Schema): Schema => ({ type: 'array', items })

/** See PageFields. */
export const PAGE = { title: STRING, revision: INTEGER, timestamp: STRING, url: STRING } as const

export const SECTIONS = list(
  fields({ number: 'integer', level: 'integer', title: 'string', anchor: 'string', bytes: 'integer' }),
)
