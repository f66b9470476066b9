/** Checks kept and imported HTML. Both are derived rows, but clients get them as they are. */
import { outlineFault } from '../../domain/outline.js'
import { IMPORTED, OF_RENDERING } from '../html/htmlUses.js'
import { decodeRow, renderingTotals, usesOfImported } from '../html/importedHtml.js'
import { packedParts, unpackParts } from '../html/packedHtml.js'
import { hasDropsLeft, renderingTag, type RenderingFacts, renderingFacts } from '../html/renderings.js'
import { decodePageRow, decodeNumber, revisionPageId } from '../rows/rows.js'
import type { Tables } from '../tables/tables.js'
import { soundRows, type VerifyContext } from './context.js'

/**
 * Checks that all HTML agrees with its tag and its outline. Its pages must lead to it, and so must its place in the
 * order of age. The totals must be right. Imported HTML must be that of a page's latest revision.
 */
export function checkHtml(context: VerifyContext): void {
  const { tables, report } = context
  const found = { bytes: 0, imported: 0, importedBytes: 0 }
  let uses = 0
  for (const { key, value } of soundRows(context, 'html', tables.html)) {
    const origin = tables.htmlOrigin.getBinary(key)
    if (origin === undefined) report(`HTML of revision ${key}: it has no row of its origin`)
    found.bytes += value.length + (origin?.length ?? 0)
    const facts = renderingFacts(value, origin)
    checkRendering(context, key, facts)
    uses += countUses(context, key, facts.uses, OF_RENDERING)
  }
  for (const { key, value } of soundRows(context, 'importedHtml', tables.importedHtml)) {
    found.imported++
    found.importedBytes += value.length
    const fault = faultOfImported(tables, key, value)
    if (fault !== undefined) report(`imported HTML of revision ${key}: ${fault}`)
    uses += countUses(context, key, usesOfImported(value), IMPORTED)
  }
  const stated = renderingTotals(tables)
  for (const name of ['bytes', 'imported', 'importedBytes'] as const)
    if (stated[name] !== found[name]) report(`HTML: ${name} says ${stated[name]}, found ${found[name]}`)
  checkUses(context, uses)
}

function checkRendering({ tables, report }: VerifyContext, revisionId: number, facts: RenderingFacts): void {
  const fault = faultOfHtml(facts)
  if (fault !== undefined) report(`HTML of revision ${revisionId}: ${fault}`)
  const age = tables.htmlAge.getBinary(facts.age)
  if (age === undefined || decodeNumber(age) !== revisionId)
    report(`HTML of revision ${revisionId}: its age leads elsewhere`)
}

function faultOfHtml({ tag, parts }: RenderingFacts): string | undefined {
  if (parts === undefined) return undefined
  const { outline, languageMenu, shell, packedHtml } = parts
  let html: Buffer
  try {
    for (const beside of [languageMenu, shell])
      if (beside !== undefined) unpackParts(packedParts(beside.packed))
    html = unpackParts(packedParts(packedHtml))
  } catch (error) {
    return `it cannot be unpacked (${String(error)})`
  }
  return tag === renderingTag(html) ? outlineFault(outline, html) : 'its tag is that of other HTML'
}

function faultOfImported(tables: Tables, revisionId: number, row: Buffer): string | undefined {
  let tag: string
  let html: string
  try {
    ;({ tag, html } = decodeRow(row))
  } catch (error) {
    return `it cannot be read (${String(error)})`
  }
  if (tag !== renderingTag(Buffer.from(html))) return 'its tag is that of other HTML'
  // Some HTML may still have to be dropped.
  return hasDropsLeft(tables) || isLatest(tables, revisionId)
    ? undefined
    : 'it is not of the latest revision of a page'
}

function isLatest(tables: Tables, revisionId: number): boolean {
  const rev = tables.rev.getBinary(revisionId)
  const page = rev && tables.page.getBinary(revisionPageId(rev))
  if (page === undefined) return false
  const { latestId, deleted } = decodePageRow(page)
  return latestId === revisionId && !deleted
}

/** Number of the uses, each of which must have its row. */
function countUses(
  { tables, report }: VerifyContext,
  revisionId: number,
  hashes: Iterable<string>,
  kinds: number,
): number {
  let count = 0
  for (const hash of hashes) {
    count++
    const kind = tables.htmlUse.getBinary([
      parseInt(hash.slice(0, 8), 16),
      parseInt(hash.slice(8), 16),
      revisionId,
    ])
    if (((kind?.[0] ?? 0) & kinds) === 0)
      report(`HTML of revision ${revisionId}: a page that it uses does not know it`)
  }
  return count
}

/** Checks that no further uses have rows. */
function checkUses(context: VerifyContext, stated: number): void {
  let found = 0
  for (const { value } of soundRows(context, 'htmlUse', context.tables.htmlUse))
    found += Number((value[0]! & OF_RENDERING) !== 0) + Number((value[0]! & IMPORTED) !== 0)
  if (found !== stated) context.report(`htmlUse: ${found} uses, but the HTML accounts for ${stated}`)
}
