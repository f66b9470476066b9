/** Shows on a terminal what `verify` reads. */
const PAGES_SHOWN = 1000

/** Shows each part, and every thousandth page. */
export function showReading(): (reading: string) => void {
  let pages = 0
  return (reading) => {
    if (reading.startsWith('page ') && ++pages % PAGES_SHOWN !== 0) return
    process.stderr.write(`\r\x1b[K${reading}`)
  }
}
