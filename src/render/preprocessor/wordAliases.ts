/** Local names of parser functions and words: `{{SEITENNAME}}`, `{{#wenn:…}}`, `{{ERS:…}}`. */
import { isKnownWord } from './functions/index.js'

/** A magic word as siteinfo describes it. */
export interface MagicWord {
  /** Local names and the English one. Some end with a colon; functions may lack their `#`. */
  readonly aliases: readonly string[]
  readonly caseSensitive: boolean
}

const PREFIXES: ReadonlySet<string> = new Set(['subst', 'safesubst', 'msg', 'msgnw', 'raw'])

/** Maps each name to the preprocessor's own name. Leaves out unknown words. */
export function wordAliases(words: readonly MagicWord[]): Map<string, string> {
  const aliases = new Map<string, string>()
  // A word that matches exactly wins over one that matches any case: it comes later.
  const ordered = [...words].sort((one, other) => Number(one.caseSensitive) - Number(other.caseSensitive))
  for (const { aliases: names, caseSensitive } of ordered) {
    const plain = names.map((name) => name.replace(/:$/, ''))
    const known = plain.map(knownName).find((name) => name !== undefined)
    if (known === undefined) continue
    // Functions of extensions have names without `#`, which MediaWiki adds to all of them.
    const addsSign = known.startsWith('#') && !plain.some((name) => name.startsWith('#'))
    for (const name of plain) {
      const written: string = addsSign ? `#${name}` : name
      const key: string = caseSensitive ? written : written.toLowerCase()
      if (key !== known && knownName(name) === undefined) aliases.set(key, known)
    }
  }
  return aliases
}

function knownName(name: string): string | undefined {
  const folded = name.toLowerCase()
  if (PREFIXES.has(folded)) return folded
  return [name, folded, `#${folded}`].find(isKnownWord)
}
