/** Untrusted texts, made safe to show on a terminal. */

/** Characters that could move the cursor, end the line or turn its direction. */
const UNPRINTABLE = /[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g

/** The text on one line. Characters that a terminal would obey become escapes such as `\u001b`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A text for a terminal: its lines and tabs, with all other control characters as escapes. */
export function printableLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(printable).join('\t'))
    .join('\n')
}
