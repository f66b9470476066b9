/** Compares two texts, and merges two edits of one. `npm install palimpsest` brings the library. */
import { compareLines, ENTRY, merge } from 'palimpsest'

const base = 'Oaks are trees.\nThey grow slowly.\nTheir fruits are acorns.\nThey live long.\n'
const mine = 'Oaks are trees.\nThey grow very slowly.\nTheir fruits are acorns.\nThey live long.\n'
const theirs = 'Oaks are trees.\nThey grow slowly.\nTheir fruits are acorns.\nThey live for centuries.\n'

const names = Object.fromEntries(Object.entries(ENTRY).map(([name, type]) => [type, name]))
for (const { type, lineNumber, text, highlightRanges = [] } of compareLines(base, mine)) {
  // Ranges count bytes of UTF-8. Their type 0 is added text, 1 deleted text.
  const bytes = Buffer.from(text)
  const words = highlightRanges.map(
    ({ start, length, type: kind }) =>
      `${kind === 0 ? '+' : '-'}"${bytes.subarray(start, start + length).toString()}"`,
  )
  console.log(names[type], `line ${lineNumber}:`, text, ...words)
}

const merged = merge(mine, base, theirs)
console.log(merged.clean ? `\n${merged.text}` : 'both edits change the same lines')
