const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i
const ENGLISH = 'en-US'

/** A locale with data in the JavaScript engine, otherwise English. */
export function supportedLocale(language: string): string {
  if (language === 'en' || !LANGUAGE.test(language)) return ENGLISH
  try {
    return Intl.NumberFormat.supportedLocalesOf(language)[0] ?? ENGLISH
  } catch (error) {
    if (error instanceof RangeError) return ENGLISH
    throw error
  }
}
