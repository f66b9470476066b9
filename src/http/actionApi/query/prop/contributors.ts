/** `prop=contributors`: editors of pages. */
import { choices, continueFrom, limit } from '../../frame/declaration.js'
import { requireAtMostOneOf } from '../../frame/problems.js'
import { groupsOf } from '../userFacts.js'
import type { Fields } from '../../frame/values.js'
import type { PageEntry } from '../../pageSet/pageSet.js'
import { GROUPS } from '../../../../domain/account.js'
import type { Editor } from '../../../../domain/revision.js'
import { defineFacts, type More, type QueryCall } from '../module.js'
import { numberOf, placeOf } from '../places.js'

/** Editors of one page: more are not read. */
const MAX_EDITORS = 2000
const GROUP_NAMES = ['autoconfirmed', ...GROUPS] as const

export const contributors = defineFacts({
  name: 'contributors',
  prefix: 'pc',
  summary: 'Editors of pages',
  parameters: {
    group: choices(GROUP_NAMES, 'only users in these groups'),
    excludegroup: choices(GROUP_NAMES, 'no users in these groups'),
    rights: choices(['delete', 'edit', 'move', 'bot'], 'only users with these rights'),
    excluderights: choices(['delete', 'edit', 'move', 'bot'], 'no users with these rights'),
    limit: limit(),
    continue: continueFrom(),
  },
  run(call, { group, excludegroup, rights, excluderights, limit: most, continue: given }) {
    const { prefix } = call.module
    requireAtMostOneOf({
      [`${prefix}group`]: group,
      [`${prefix}excludegroup`]: excludegroup,
      [`${prefix}rights`]: rights,
      [`${prefix}excluderights`]: excluderights,
    })
    const place = given === undefined ? undefined : placeOf(given, 1)
    const [fromPage = 0] = place?.numbers ?? []
    const fromUser = place === undefined ? 0 : numberOf(place.name)
    const isWanted = ({ id, name }: Editor): boolean => {
      if (group === undefined && excludegroup === undefined && rights === undefined) return true
      const groups: readonly string[] = id === null ? [] : groupsOf({ userId: id, name }, call)
      if (rights !== undefined) return rights.some((right) => right === 'bot' && groups.includes('bot'))
      return group === undefined
        ? !groups.some((name) => (excludegroup as readonly string[]).includes(name))
        : group.some((name) => groups.includes(name))
    }
    const facts = new Map<PageEntry, Fields>()
    let count = 0
    let more: More | undefined
    for (const entry of call.pages.existing()) {
      const { pageId } = entry.page
      if (pageId < fromPage) continue
      const editors = editorsOf(pageId, call)
      const anonymous = editors.filter(({ id }) => id === null).length
      const shown: Fields[] = []
      const result = (): Fields => ({
        ...(anonymous > 0 && { anoncontributors: anonymous }),
        ...(shown.length > 0 && { contributors: shown }),
      })
      for (const editor of editors) {
        if (editor.id === null || !isWanted(editor) || (pageId === fromPage && editor.id < fromUser)) continue
        if (count++ === most) more ??= { continue: `${pageId}|${editor.id}` }
        if (more !== undefined) break
        shown.push({ userid: editor.id, name: editor.name })
      }
      facts.set(entry, result())
    }
    return { facts, more }
  },
})

const editorsOf = (pageId: number, { context }: QueryCall): Editor[] =>
  context.store.accounts.editorsOf(pageId, MAX_EDITORS).sort((one, other) => (one.id ?? 0) - (other.id ?? 0))
