/** Finds prefixes of links. Most links have none, and a loop sorts them out in less time than an expression. */

const COLON = 0x3a
/** Signs that no target of a link contains. */
const ENDS = new Uint8Array(128)
for (const sign of Buffer.from('[]|{}<>\n')) ENDS[sign] = 1

/**
 * Index of the colon that ends a link's prefix of 1 to `maxLength` UTF-16 units. `at` is the start of the target.
 * Undefined if the target has no such prefix.
 */
export function prefixEnd(wikitext: string, at: number, maxLength: number): number | undefined {
  const end = Math.min(wikitext.length, at + maxLength + 1)
  for (let n = at; n < end; n++) {
    const unit = wikitext.charCodeAt(n)
    if (unit === COLON) return n === at ? undefined : n
    if (unit < 128 && ENDS[unit] === 1) return undefined
  }
  return undefined
}
