/**
 * Caches for locale data. Making a format of `Intl` takes up to a millisecond, a hundred times as long as using it, and
 * the data never changes. So all pages of a thread share them.
 */
/** Bounds the memory that pages can take which name many languages. */
const MAX_LOCALES = 50

/** Returns a function that remembers the values of the last locales. */
export function keptByLocale<Value>(make: (locale: string) => Value): (locale: string) => Value {
  const known = new Map<string, Value>()
  return (locale) => {
    const value = known.get(locale) ?? make(locale)
    if (!known.has(locale)) {
      const [oldest] = known.keys()
      if (known.size >= MAX_LOCALES && oldest !== undefined) known.delete(oldest)
      known.set(locale, value)
    }
    return value
  }
}

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
