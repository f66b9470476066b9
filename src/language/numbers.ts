/** Numbers in the signs of a language. */
import type { NumberSigns } from './language.js'

/** Writes the digits 0 to 9 of a text in those of a language. */
export function localDigits(text: string, digits: readonly string[]): string {
  if (digits[0] === '0') return text
  return text.replace(/[0-9]/g, (digit) => digits[Number(digit)] ?? digit)
}

/** Groups the digits of a whole number from the right; the last length of a group repeats. */
export function groupDigits(
  integer: string,
  { groupLengths, group }: Pick<NumberSigns, 'groupLengths' | 'group'>,
): string {
  const groups: string[] = []
  let end = integer.length
  while (end > 0) {
    const length = groupLengths[Math.min(groups.length, groupLengths.length - 1)] ?? end
    groups.push(integer.slice(Math.max(0, end - length), end))
    end -= length
  }
  return groups.reverse().join(group)
}
