/** Makes names of accounts, files and protection equal to states. */
import { FILE } from '../../../domain/namespaceIds.js'
import type { UpstreamName, UpstreamProtection, UpstreamStates } from '../../../domain/upstream.js'
import { findUserId, getUser } from '../../accounts/accounts.js'
import { actorKey, decodeActor, encodeActor, MAX_ACTOR_KEY_BYTES } from '../../accounts/actors.js'
import { readFile } from '../../pages/files.js'
import { raiseTally } from '../../tables/meta.js'
import { writeProtection } from '../../pages/protections.js'
import { dropUsesOf } from '../../html/renderings.js'
import { decodeNumber, encodeNumber } from '../../rows/rows.js'
import { forgetSqlRow } from '../../sqlTables/sqlTables.js'
import { writeFile } from '../applyFile.js'
import type { WriteContext } from '../writeContext.js'
import { hash } from 'node:crypto'

/** Gives actors their new names. Names in revisions change with the states of their pages. Returns the number. */
export function renameUsers(context: WriteContext, renames: readonly UpstreamName[]): number {
  return renames.filter((rename) => renameUser(context, rename)).length
}

function renameUser({ tables }: WriteContext, { userId, name }: UpstreamName): boolean {
  const key = tables.actor.getBinaryFast(actorKey({ id: userId, name }))
  if (key === undefined) return false
  const actorId = decodeNumber(key)
  const before = decodeActor(tables.actorName.getBinary(actorId)!).name
  if (before === name) return false
  tables.actorName.putSync(actorId, encodeActor({ id: userId, name }))
  const isAccount = (id: number, named: string): boolean => getUser(tables, id)?.name === named
  if (isFindable(before) && findUserId(tables, before) === userId && !isAccount(userId, before))
    tables.userName.removeSync(before)
  const owner = isFindable(name) ? findUserId(tables, name) : undefined
  // An account that was made here keeps its name.
  if (isFindable(name) && (owner === undefined || !isAccount(owner, name)))
    tables.userName.putSync(name, encodeNumber(userId))
  return true
}

const isFindable = (name: string): boolean => name !== '' && Buffer.byteLength(name) <= MAX_ACTOR_KEY_BYTES

/** Returns the number of files that changed. */
export function mirrorFiles(
  context: WriteContext,
  { files, time }: Pick<UpstreamStates, 'files'> & { readonly time: number },
): number {
  return files.filter(({ dbkey, facts }) => {
    const kept = readFile(context.tables, dbkey)
    const uploader = kept?.uploader ?? undefined
    if (uploader?.name !== facts?.uploader?.name) context.forgetEditors([uploader])
    const sha256 = kept?.sha256 ?? null
    if (sha256 !== null && kept?.sha1 !== facts?.sha1) context.erase({ of: 'contents', sha256 })
    if (facts === null) return removeFile(context, dbkey, time)
    const hasContents = facts.sha256 === null && kept?.sha1 === facts.sha1
    return writeFile(context, dbkey, hasContents ? { ...facts, sha256: kept.sha256 } : facts, time)
  }).length
}

/** An imported SQL table may name the file too. Returns whether the store had it. */
function removeFile(context: WriteContext, dbkey: string, time: number): boolean {
  const { tables, counters, hasRenderings } = context
  const wasStated = forgetSqlRow(tables, 'image', dbkey)
  if (writeFile(context, dbkey, null, time)) {
    forgetFileName(context, dbkey)
    return true
  }
  if (!wasStated) return false
  if (hasRenderings) dropUsesOf(tables, { namespace: FILE, dbkey }, 'existence')
  counters.fileChanges++
  return true
}

/** Pages show protections, so HTML that used the titles is dropped. Returns the number of titles. */
export function mirrorProtections(
  { tables, hasRenderings }: WriteContext,
  protections: readonly UpstreamProtection[],
): number {
  const changed = protections.filter(({ namespace, dbkey, ...upstream }) =>
    writeProtection(tables, [namespace, dbkey], { upstream }),
  )
  if (changed.length > 0) raiseTally(tables, 'visibility')
  if (hasRenderings) for (const title of changed) dropUsesOf(tables, title, 'protection')
  return changed.length
}

/**
 * Takes the name of a file out of the log, which names it in entries of its own, beside those of its page. Call it when
 * a file or its page has gone. The name goes once both have.
 */
export function forgetFileName(context: WriteContext, dbkey: string): void {
  const { tables } = context
  if (tables.file.doesExist(dbkey) || tables.title.doesExist([FILE, dbkey])) return
  // Files have no ids for pseudonyms.
  const pageId = hash('sha256', dbkey, 'buffer').readUInt32BE(0)
  context.erase({ of: 'title', pageId, title: { namespace: FILE, dbkey }, isInOwnEntry: true })
}
