/** Protections of titles, as words and modules show them. */
import type { Title } from '../../domain/title.js'
import type { Expander } from './expander.js'
import type { TitleProtection } from './source.js'

/** What is shown of a protection is true until it ends. */
export function protectionOf(title: Title, { source, report }: Expander): TitleProtection {
  const protection = source.protection(title)
  if (protection.expires !== undefined) report.holdsFor(protection.expires - source.now)
  return protection
}
