import { printable } from '../../domain/printable.js'

/** A text for a terminal: its lines and tabs, with all other control characters as escapes. */
export function printableLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(printable).join('\t'))
    .join('\n')
}
