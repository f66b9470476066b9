/** Behaviour switches such as `__NOTOC__`: words that change how a page behaves, and leave no text. */

const SWITCH = /__([A-Z]{2,22})__/gi

/** Recognised in any case. */
const UNCASED: ReadonlySet<string> = new Set([
  ...[
    'FORCETOC',
    'NOCC',
    'NOCONTENTCONVERT',
    'NOEDITSECTION',
    'NOGALLERY',
    'NOTC',
    'NOTITLECONVERT',
    'NOTOC',
    'TOC',
  ],
])
/** Recognised in capitals only. */
const CASED: ReadonlySet<string> = new Set([
  ...['ARCHIVEDTALK', 'DISAMBIG', 'EXPECTUNUSEDCATEGORY', 'HIDDENCAT', 'INDEX', 'NEWSECTIONLINK', 'NOINDEX'],
  ...['NONEWSECTIONLINK', 'NOTALK', 'STATICREDIRECT'],
])
const FULL_NAMES: Readonly<Record<string, string>> = { nocc: 'nocontentconvert', notc: 'notitleconvert' }

/** Names of the switches in a text, in lower case and without duplicates. */
export function behaviourSwitches(text: string): string[] {
  const names = new Set<string>()
  if (!text.includes('__')) return []
  for (const [, word = ''] of text.matchAll(SWITCH)) {
    if (!UNCASED.has(word.toUpperCase()) && !CASED.has(word)) continue
    const name = word.toLowerCase()
    names.add(FULL_NAMES[name] ?? name)
  }
  return [...names]
}
