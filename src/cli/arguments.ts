/** Readers of arguments and flags that several commands take. Each throws an InvalidArgumentError. */
import { InvalidArgumentError } from 'commander'

/** Reads a whole number from 1 of at most `digits` digits. */
export const wholeNumber =
  (digits: number) =>
  (text: string): number => {
    if (text.length > digits || !/^[1-9]\d*$/.test(text))
      throw new InvalidArgumentError('It must be a whole number from 1.')
    return Number(text)
  }

/** As many as `renderThreads` takes: each has a heap of its own. */
const MAX_THREADS = 64

export function readThreads(text: string): number {
  const threads = /^[1-9]\d?$/.test(text) ? Number(text) : Infinity
  if (threads > MAX_THREADS)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_THREADS}.`)
  return threads
}

/** Numbers of namespaces, such as `0,14`. */
export function readNamespaces(text: string): readonly number[] {
  if (!/^\d{1,5}(?:,\d{1,5})*$/.test(text)) throw new InvalidArgumentError('It must be a list of numbers.')
  return text.split(',').map(Number)
}
