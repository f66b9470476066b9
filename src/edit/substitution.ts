/** Substitution: templates that a save replaces by their text, `{{subst:Name|…}}` and `{{safesubst:Name|…}}`. */

/** Gets a wikitext; gives it with what is marked for substitution put in, and all else as it is written. */
export type Substitute = (wikitext: string) => string

/** What other languages write for `subst` and `safesubst`. */
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

/** False for a text that surely holds no substitution. */
export function maySubstitute(text: string): boolean {
  return text.includes('{{') && MAY_SUBSTITUTE.test(text)
}
