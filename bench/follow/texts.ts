/** Made texts of pages that are edited line by line. */
import { randomNumbers } from '../support/random.js'

export const TEXT_BYTES = 4000
const WORDS = 20_000

const random = randomNumbers(11)
/** Frequent and rare words, as in a language. */
const word = (): string => `w${Math.floor(WORDS ** random())}`
const line = (): string => Array.from({ length: 12 }, word).join(' ')

/** A new text, or one with another line in its middle. */
export function textOf(_pageId: number, before: string | undefined): string {
  const lines = before?.split('\n') ?? Array.from({ length: Math.ceil(TEXT_BYTES / 60) }, line)
  if (before !== undefined) lines[Math.floor(random() * lines.length)] = line()
  return lines.join('\n')
}
