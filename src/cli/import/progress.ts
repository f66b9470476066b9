/** Formats counts and durations for command output. */

/** Formats `12345` as `12,345`. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** Formats such as `3 s`, `4 min 10 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Shows a counter on a terminal, in place; prints nothing elsewhere. */
export function showCount(what: string, output: NodeJS.WriteStream): (done: number, total: number) => void {
  if (!output.isTTY) return () => undefined
  return (done, total) => {
    const end = done >= total ? '\r\x1b[K' : ''
    output.write(`\r${formatCount(done)} of ${formatCount(total)} ${what}${end}`)
  }
}
