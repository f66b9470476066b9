/** Substitution: a save replaces `{{subst:Name|…}}` and `{{safesubst:Name|…}}` by the text of the template. */
import type { Language } from '../language/language.js'

/** Expands the templates marked for substitution in a wikitext, and keeps all other text as written. */
export type Substitute = (wikitext: string) => string

/** Patterns by language, made on first use. */
const patterns = new WeakMap<Language, RegExp>()

function patternOf(language: Language): RegExp {
  const known = patterns.get(language)
  if (known !== undefined) return known
  const words = ['subst', 'safesubst'].flatMap((name) => language.magicWords.get(name)?.words ?? [])
  const written = words.map((word) => word.replace(/:$/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`subst:|[{>|\\s](?:${written.join('|')}):`, 'iu')
  patterns.set(language, pattern)
  return pattern
}

/** False only for a text without any substitution, in the language's words or English; true may be a false alarm. */
export function maySubstitute(text: string, language: Language): boolean {
  return text.includes('{{') && patternOf(language).test(text)
}
