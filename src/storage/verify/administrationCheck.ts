/** Checks accounts, tokens, protections, and the kept hidden parts of revisions. */
import { PROTECTION_LEVELS } from '../../domain/protection.js'
import { decodeActor, MAX_ACTOR_KEY_BYTES } from '../accounts/actors.js'
import { findUserId, getUser, listTokens, listUsers } from '../accounts/accounts.js'
import { readHiddenParts } from '../pages/hiddenParts.js'
import { readCounters, readMeta } from '../tables/meta.js'
import { getProtectionRow, type ProtectionRow } from '../pages/protections.js'
import { decodeHistoryRow, decodeNumber, revisionPageId, revisionTime } from '../rows/rows.js'
import { WHOLE_TABLE } from '../tables/tables.js'
import { soundRows, unlessDamaged, type VerifyContext } from './context.js'
import { isPageMadeHere } from '../pages/history.js'
import { isSoundImage, isSoundOldImage } from '../sqlTables/imageFacts.js'
import {
  SQL_TABLES,
  type SqlTable,
  subjectOf,
  tableOfNumber,
  USED_FILES_NUMBER,
} from '../rows/sqlTableNames.js'
import { areLanguagesListed, languageKeys } from '../sqlTables/languagePages.js'
import { decodeSqlRow, encodeSqlRow, rangeOf, readTableState } from '../sqlTables/sqlTables.js'

export function checkAdministration(context: VerifyContext): void {
  for (const check of [checkAccounts, checkNames, checkTokens, checkProtections, checkHiddenParts]) {
    unlessDamaged(context.report, () => check(context))
  }
}

function checkAccounts({ tables, report }: VerifyContext): void {
  const { nextUserId } = readCounters(tables)
  const bots: string[] = []
  for (const { id, name, groups } of listUsers(tables)) {
    if (findUserId(tables, name) !== id) report(`user ${id} (${name}) cannot be found by its name`)
    if (id >= nextUserId) report(`counters: nextUserId says ${nextUserId}, found user ${id}`)
    if (groups.includes('bot')) bots.push(name)
  }
  const stored = readMeta(tables, 'botAccounts') ?? []
  if (JSON.stringify(stored) !== JSON.stringify(bots.sort())) {
    report(`botAccounts says ${stored.join('|')}, found ${bots.join('|')}`)
  }
}

/** Each name must lead to an account or imported editor, and the name of each imported editor must lead to an id. */
function checkNames(context: VerifyContext): void {
  const { tables, report } = context
  for (const { key: name, value } of soundRows(context, 'userName', tables.userName)) {
    const id = decodeNumber(value)
    const isAccount = getUser(tables, id)?.name === name
    if (!isAccount && !tables.actor.doesExist(`#${id}`)) report(`user name ${name} leads to nobody`)
  }
  for (const { value } of soundRows(context, 'actorName', tables.actorName)) {
    const { id: userId, name } = decodeActor(value)
    if (userId === null || name === '' || Buffer.byteLength(name) > MAX_ACTOR_KEY_BYTES) continue
    if (findUserId(tables, name) === undefined) report(`user ${userId} (${name}) cannot be found by its name`)
  }
}

function checkTokens({ tables, report }: VerifyContext): void {
  const { nextTokenId } = readCounters(tables)
  for (const { id, userId } of listTokens(tables)) {
    if (getUser(tables, userId) === undefined) report(`token ${id} belongs to user ${userId}, who is unknown`)
    if (id >= nextTokenId) report(`counters: nextTokenId says ${nextTokenId}, found token ${id}`)
  }
}

type Levels = Omit<ProtectionRow, 'expires'>

function checkProtections({ tables, report }: VerifyContext): void {
  for (const key of [...tables.protection.getKeys(WHOLE_TABLE)]) {
    const { upstream, ...own } = getProtectionRow(tables, key)!
    const isEmpty = ({ edit, create, move = 'none' }: Levels): boolean =>
      [edit, create, move].every((level) => level === 'none')
    const isKnown = ({ edit, create, move = 'none' }: Levels): boolean =>
      [edit, create, move].every((level) => PROTECTION_LEVELS.includes(level))
    if (!isKnown(own) || (upstream === undefined && isEmpty(own)))
      report(`protection of ${key[0]}:${key[1]} says edit ${own.edit}, create ${own.create}`)
    if (upstream !== undefined && (!isKnown(upstream) || isEmpty(upstream)))
      report(`stated protection of ${key[0]}:${key[1]} says edit ${upstream.edit}, create ${upstream.create}`)
  }
}

function checkHiddenParts({ tables, report }: VerifyContext): void {
  for (const id of [...tables.hidden.getKeys(WHOLE_TABLE)]) {
    const { comment, user, own = [] } = readHiddenParts(tables, id)
    const rev = tables.rev.getBinaryFast(id)
    const row = rev && tables.history.getBinaryFast([revisionPageId(rev), revisionTime(rev), id])
    const { textHidden, commentHidden, userHidden } = row ? decodeHistoryRow(row) : NOTHING_HIDDEN
    const hidden = { text: textHidden, comment: commentHidden, user: userHidden }
    const belongs = (comment === undefined || commentHidden) && (user === undefined || userHidden)
    const isEmpty = comment === undefined && user === undefined && own.length === 0
    if (!belongs || isEmpty || own.some((part) => !hidden[part])) {
      report(`hidden parts of revision ${id} are none that it hides`)
    }
  }
}

const NOTHING_HIDDEN = { textHidden: false, commentHidden: false, userHidden: false }

// Checks the rows of imported SQL tables.

/**
 * Checks the rows of sets in force: they can be decoded, and encode to the same bytes. Rows of pages need an imported
 * page. The state of each table must have their number. Spare rows may be left from an import that was killed.
 */
export function checkSqlTables(context: VerifyContext): void {
  const { tables, report } = context
  const states = readMeta(tables, 'sqlTables') ?? {}
  const found = new Map(SQL_TABLES.map((table) => [table, 0]))
  for (const { key, value } of soundRows(context, 'sqlRow', tables.sqlRow)) {
    const [set, number, id] = key
    if (number === USED_FILES_NUMBER) continue
    const table = tableOfNumber(number)
    if (table === undefined || set > 1) report(`SQL table ${number}: row ${id} is of no known table`)
    else if (states[table]?.set === set) {
      found.set(table, found.get(table)! + 1)
      if (!isSound(table, value)) report(`SQL table ${table}: row ${id} is damaged`)
      const pageId = subjectOf(table) === 'page' ? Number(id) : undefined
      if (pageId !== undefined && (!tables.page.doesExist(pageId) || isPageMadeHere(tables, pageId)))
        report(`SQL table ${table}: row ${id} is of no imported page`)
    }
  }
  for (const [table, ids] of found) {
    const stated = states[table]?.ids ?? 0
    if (stated !== ids) report(`SQL table ${table}: its state says ${stated} rows, found ${ids}`)
  }
  if (areLanguagesListed(tables) && states.langlinks?.unsettledFrom === undefined) checkLanguages(context)
}

/** Pages must be listed by their language links, and by no others. */
function checkLanguages(context: VerifyContext): void {
  const { tables, report } = context
  const state = readTableState(tables, 'langlinks')
  let wanted = 0
  const rows = state === undefined ? [] : tables.sqlRow.getRange(rangeOf(state.set, 'langlinks'))
  for (const { key, value } of rows)
    for (const listed of languageKeys(Number(key[2]), value)) {
      wanted++
      if (!tables.languagePage.doesExist(listed))
        report(`language links: ${listed[0]} lacks page ${listed[1]}`)
    }
  let found = 0
  for (const _row of soundRows(context, 'languagePage', tables.languagePage)) found++
  if (found !== wanted) report(`language links: ${found} in lists, but the pages account for ${wanted}`)
}

function isSound(table: SqlTable, row: Buffer): boolean {
  try {
    const values = decodeSqlRow(row)
    const isImage = table === 'image' || table === 'shared_image'
    if (!encodeSqlRow(values).equals(row)) return false
    if (table === 'oldimage') return isSoundOldImage(values)
    return !isImage || isSoundImage(values)
  } catch {
    return false
  }
}
