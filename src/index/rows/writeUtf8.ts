/** Writes texts as UTF-8. */

/** The runtime writes longer texts faster. */
const SHORT = 40

/** Writes a text, and returns its end. The target must have three bytes for each unit. */
export function writeUtf8(text: string, target: Buffer, start: number): number {
  return writeAscii(text, target, start) ?? start + target.write(text, start, 'utf8')
}

/** Writes a short ASCII text, the usual case, without a call to the runtime. Undefined for other texts. */
function writeAscii(text: string, target: Buffer, start: number): number | undefined {
  const { length } = text
  if (length > SHORT) return undefined
  for (let n = 0; n < length; n++) {
    const code = text.charCodeAt(n)
    if (code > 127) return undefined
    target[start + n] = code
  }
  return start + length
}
