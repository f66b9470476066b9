/** Times as readers see them: in words, and for programs. */
import type { LocalFormats } from '../../domain/localFormats.js'
import { formatTimestamp } from '../../domain/timestamp.js'
import { type Html, html } from '../html.js'

/** Day and time in UTC, from seconds since 1970. */
export function timeElement(seconds: number, formats: LocalFormats): Html {
  return html`<time datetime="${formatTimestamp(seconds)}">${formats.time(seconds)}</time>`
}

export function timeOfDayElement(seconds: number, formats: LocalFormats): Html {
  return html`<time datetime="${formatTimestamp(seconds)}">${formats.timeOfDay(seconds)}</time>`
}
