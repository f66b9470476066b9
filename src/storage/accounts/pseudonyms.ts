/**
 * Names and titles in the place of erased ones in redacted entries. They follow from ids, so that a replay of the log
 * tells the same persons and pages apart. The first character is for private use, so no name of a wiki is one of them.
 */
import type { Editor } from '../../domain/revision.js'

const MARK = '\uf8f0'
const FORM = new RegExp(`^${MARK}([apu])(\\d{1,10})$`)

/** Of an editor: by the id of the user, else by that of the actor. */
export const pseudonymOf = (editor: {
  readonly userId: number | null
  readonly actorId: number | undefined
}): string => (editor.userId === null ? `${MARK}a${editor.actorId ?? 0}` : `${MARK}u${editor.userId}`)

/** Dbkey of a page. Each of its titles has a number: 0 is its last one. */
export const pseudonymOfPage = (pageId: number, number = 0): string =>
  `${MARK}p${pageId}${number === 0 ? '' : `-${number}`}`

export const isPseudonym = (text: string): boolean => text.startsWith(MARK)

/** The actor of an editor with a pseudonym; undefined for other editors. */
export const actorOfPseudonym = ({ id, name }: Editor): number | undefined =>
  id === null ? idIn(name, 'a') : undefined

/** The user id in the pseudonym of an account; undefined for other names. */
export const userOfPseudonym = (name: string): number | undefined => idIn(name, 'u')

function idIn(name: string, kind: string): number | undefined {
  if (!name.startsWith(MARK)) return undefined
  const match = FORM.exec(name)
  return match?.[1] === kind ? Number(match[2]) : undefined
}
