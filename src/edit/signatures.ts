/** Signatures: a save replaces runs of tildes by the editor's name and the time. */
import { SPECIAL, USER, USER_TALK } from '../domain/namespaceIds.js'
import type { Namespaces } from '../domain/namespaces.js'
import { formatTimestamp } from '../domain/timestamp.js'
import { findLiteralParts, replaceOutside } from './literalParts.js'

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const TILDES = /~{3,}/g
const LONGEST = 5
/** Signs of a name that would end the link or begin other markup in its label. */
const LABEL_SIGNS = /[&'<>[\]{|}~]/g

export interface Signer {
  /** User name, or the address of an anonymous editor. */
  readonly name: string
  readonly anonymous: boolean
}

/**
 * Replaces `~~~~~` by the time, `~~~~` by name and time, and `~~~` by the name, outside comments and tags such as
 * nowiki. Reads a longer run from the left, five at a time, as MediaWiki does: six give the time and one tilde.
 * Undefined when the result would be longer than `maxLength` units. `time` is in seconds since 1970.
 */
export function sign(
  text: string,
  signer: Signer,
  time: number,
  namespaces: Namespaces,
  maxLength: number,
): string | undefined {
  if (!text.includes('~~~')) return text
  const date = signatureTime(time)
  const name = signatureName(signer, namespaces)
  const ending = ['', '~', '~~', name, `${name} ${date}`]
  const replaceRun = ([run]: RegExpExecArray) =>
    date.repeat(Math.floor(run.length / LONGEST)) + (ending[run.length % LONGEST] ?? '')
  return replaceOutside(text, findLiteralParts(text), TILDES, replaceRun, maxLength)
}

/**
 * Writes `[[User:Ann|Ann]] ([[User talk:Ann|talk]])` or `[[Special:Contributions/::1|::1]]` in the wiki's own names.
 */
export function signatureName({ name, anonymous }: Signer, namespaces: Namespaces): string {
  const label = name.replace(LABEL_SIGNS, (sign) => `&#${sign.charCodeAt(0)};`)
  const prefix = (id: number) => namespaces.keyPrefix(id).replaceAll('_', ' ')
  if (anonymous) return `[[${prefix(SPECIAL)}Contributions/${name}|${label}]]`
  return `[[${prefix(USER)}${name}|${label}]] ([[${prefix(USER_TALK)}${name}|talk]])`
}

/** Writes a time such as `21:48, 20 November 2026 (UTC)`. */
export function signatureTime(seconds: number): string {
  const iso = formatTimestamp(seconds)
  const month = MONTHS[Number(iso.slice(5, 7)) - 1]
  return `${iso.slice(11, 16)}, ${Number(iso.slice(8, 10))} ${month} ${iso.slice(0, 4)} (UTC)`
}
