/** Interface messages: pages of the wiki, then the English table. Month names exist in every language. */
import { MESSAGES, NAMESPACE_MESSAGES } from '../../preprocessor/functions/messages.js'
import { capitalise } from '../../../domain/title.js'
import type { LuaSession } from '../session.js'
import type { HostArguments, HostTable } from './arguments.js'

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may_long', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
]

const MAX_TITLE_BYTES = 255

export const MESSAGE_FUNCTIONS: HostTable = { values: { message: messageText } }

/**
 * Arguments: key, language (default: the wiki's), and whether pages of the wiki count. Undefined for a missing message.
 */
function messageText(args: HostArguments, page: LuaSession): string | undefined {
  const key = args.text(1).replaceAll(' ', '_')
  const { source, locale } = page.expander
  const language = args.optionalText(2) ?? source.site.language
  if (args.isNil(3) || args.boolean(3)) {
    const suffix = language === source.site.language ? '' : `/${language}`
    const dbkey = capitalise(key) + suffix
    const isTitle = Buffer.byteLength(dbkey) <= MAX_TITLE_BYTES
    const text = isTitle ? page.readPage({ namespace: NAMESPACE_MESSAGES, dbkey })?.text : undefined
    if (text !== undefined) return text
  }
  const name = key.charAt(0).toLowerCase() + key.slice(1)
  const month = MONTHS.indexOf(name)
  if (month >= 0) return locale.dateNames.month(month + 1, 'long', language)
  return MESSAGES.get(name)
}
