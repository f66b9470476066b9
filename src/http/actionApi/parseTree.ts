/** The tree of a wikitext in XML, in which programs find templates and their arguments. */
import type { TextOf } from '../../workers/compute/readerTexts.js'
import type { ActionCall } from './frame/call.js'
import { ActionError } from './frame/problems.js'

/** Throws a toobig for templates that are nested too deep. */
export async function parseTreeOf(of: TextOf, { context }: ActionCall): Promise<string> {
  const xml = await context.pool.run('treeXml', { of })
  if (xml === 'too-deep')
    throw new ActionError('toobig', 'The text has templates that are nested too deep for a tree.')
  return Buffer.from(xml).toString()
}
