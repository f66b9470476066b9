/** Substitution: a save replaces `{{subst:Name|…}}` and `{{safesubst:Name|…}}` by the text of the template. */

/** Expands the templates marked for substitution in a wikitext, and keeps all other text as written. */
export type Substitute = (wikitext: string) => string

/** Words of other languages for `subst` and `safesubst`. */
export const LOCAL_WORDS: readonly string[] = [
  ...['نسخ', 'نسخ_آمن', 'ПАДСТАНОЎКА', 'VLOŽIT', 'NAHR', 'ERS', 'SICHER_ERS', 'SICHERERS', 'SUST', 'FIJAR'],
  ...['جایگزین', 'جا', 'جایگزین_امن', 'جام', 'VASTINE', 'BÄDEL', 'БӘДЕЛ', 'VERV', 'VEILIGVERV', 'ЗАМЕНИ'],
  ...[
    'ЗАМЕНА',
    'СУБСТ',
    'БЕЗБЕДНАЗАМЕНА',
    'БЕЗБЕДНА_ЗАМЕНА',
    'YK',
    'YERİNEKOY',
    'KOPYALA',
    'AKTAR',
    'YAPIŞTIR',
  ],
  ...['GÜVENLİYERİNEKOY', 'GÜVENLİKOPYALA', 'GÜVENLİAKTAR', 'GÜVENLİYAPIŞTIR', '替代', '安全替代'],
]
const MAY_SUBSTITUTE = new RegExp(`subst:|[{>|\\s](?:${LOCAL_WORDS.join('|')}):`, 'i')

/** False only for a text without any substitution; true may be a false alarm. */
export function maySubstitute(text: string): boolean {
  return text.includes('{{') && MAY_SUBSTITUTE.test(text)
}
