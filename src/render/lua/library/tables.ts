/** Tables in the source of our libraries. */

/** A table with these fields of another one, created at its full size. A table that grows takes three times as long. */
export function copyOf(table: string, names: string): string {
  const fields = names.trim().split(/\s+/)
  return `{${fields.map((name) => `${name} = ${table}.${name}`).join(', ')}}`
}
