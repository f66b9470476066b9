/** Site settings and the interwiki map: what their entries do. */
import { hash } from 'node:crypto'
import { type InterwikiChanges, mergeInterwikiChanges } from '../../domain/interwiki.js'
import type { SettingsEntry, Verdict } from '../entries.js'
import { readBots, readInterwikiChanges, readMeta, writeMeta } from '../meta.js'
import type { Tables } from '../tables.js'
import type { WriteContext } from './context.js'
import { retagBots } from './retagBots.js'

const INTERWIKI_VERSION_DIGITS = 16

export function applySettings(context: WriteContext, { site, interwiki }: SettingsEntry): Verdict {
  const { tables } = context
  const change = interwiki === undefined ? site : { ...site, interwiki: changeInterwiki(tables, interwiki) }
  writeMeta(tables, 'siteSettings', { ...readMeta(tables, 'siteSettings'), ...change })
  if (site.bots !== undefined) retagBots(context, readBots(tables))
  return { result: 'done' }
}

/** Gives back the version of the map: who keeps something that depends on it keeps the version too. */
function changeInterwiki(tables: Tables, changes: InterwikiChanges): string {
  const all = mergeInterwikiChanges(readInterwikiChanges(tables), changes)
  writeMeta(tables, 'interwiki', all)
  return hash('sha256', JSON.stringify(all)).slice(0, INTERWIKI_VERSION_DIGITS)
}
