/** Reads chosen fields from a JSON object, in any thread. The rest of a hostile body stays there. */

/** A field's value. For an object or array, only its kind. */
export type JsonField = string | number | boolean | null | undefined | { readonly kind: 'object' | 'array' }

export type JsonFields =
  /** Values by path: `latest`, `latest.id`. */
  | { readonly ok: true; readonly fields: Readonly<Record<string, JsonField>> }
  | { readonly ok: false; readonly fault: 'not-json'; readonly detail: string }
  | { readonly ok: false; readonly fault: 'not-object' }

/** `paths` are names, or names within objects, joined by points. An array counts as an object without fields. */
export function readJsonFields(bytes: Uint8Array, paths: readonly string[]): JsonFields {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    // The decoder (not UTF-8) and the parser (not JSON) both say what is wrong.
    return { ok: false, fault: 'not-json', detail: error instanceof Error ? error.message : '' }
  }
  if (typeof value !== 'object' || value === null) return { ok: false, fault: 'not-object' }
  const fields = Object.fromEntries(paths.map((path) => [path, fieldAt(value, path.split('.'))]))
  const halved = paths.find((path) => isHalved(fields[path]))
  if (halved !== undefined) {
    return { ok: false, fault: 'not-json', detail: `half of a surrogate pair in "${halved}"` }
  }
  return { ok: true, fields }
}

/** Tells if a text contains a lone surrogate, which only an escape such as `\ud800` can produce. */
const isHalved = (field: JsonField): boolean => typeof field === 'string' && !field.isWellFormed()

function fieldAt(value: unknown, [name, ...rest]: readonly string[]): JsonField {
  if (name === undefined) return asField(value)
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return fieldAt((value as Record<string, unknown>)[name], rest)
}

function asField(value: unknown): JsonField {
  if (Array.isArray(value)) return { kind: 'array' }
  if (typeof value === 'object' && value !== null) return { kind: 'object' }
  return value as JsonField
}
