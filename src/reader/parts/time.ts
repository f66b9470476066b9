/** Times as readers see them: in words, and for programs. */
import { formatTimestamp } from '../../domain/timestamp.js'
import { type Html, html } from '../html.js'

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** `2 March 2024, 14:05`, in UTC. */
export function timeInWords(seconds: number): string {
  return `${dayInWords(seconds)}, ${timeOfDay(seconds)}`
}

/** `14:05`, in UTC. */
function timeOfDay(seconds: number): string {
  const time = new Date(seconds * 1000)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`
}

/** `2 March 2024`, in UTC. */
export function dayInWords(seconds: number): string {
  const time = new Date(seconds * 1000)
  return `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]!} ${time.getUTCFullYear()}`
}

export function timeElement(seconds: number): Html {
  return html`<time datetime="${formatTimestamp(seconds)}">${timeInWords(seconds)}</time>`
}

export function timeOfDayElement(seconds: number): Html {
  return html`<time datetime="${formatTimestamp(seconds)}">${timeOfDay(seconds)}</time>`
}
