import type { Title } from '../../domain/title.js'

export function sameTitle(one: Title, other: Title): boolean {
  return one.namespace === other.namespace && one.dbkey === other.dbkey
}
