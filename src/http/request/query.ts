/** Query strings with PHP's rules, which clients of MediaWiki rely on. */
import { decodePercent } from '../../domain/percent.js'

/** Value of a parameter. An array means `name[]=value`, which no parameter of this API accepts. */
export type RawValue = string | readonly string[] | undefined

/** The last value of each named parameter in a raw query, with or without brackets. */
export function readQuery(query: string, names: readonly string[]): Map<string, RawValue> {
  const values = new Map<string, RawValue>()
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const name = decodeComponent(equals < 0 ? pair : pair.slice(0, equals))
    const bracket = name.indexOf('[')
    const base = bracket > 0 && name.includes(']', bracket) ? name.slice(0, bracket) : name
    if (!names.includes(base)) continue
    const value = decodeComponent(equals < 0 ? '' : pair.slice(equals + 1))
    values.set(base, base === name ? value : [value])
  }
  return values
}

function decodeComponent(text: string): string {
  return decodePercent(text.replaceAll('+', ' '))
}
