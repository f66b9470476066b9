/** Generated texts that resemble a wiki's: lines of some length, some of them equal. */

const WORDS = (
  'the moon orbits earth and turns once in every orbit so that one side is always seen from below while tides rise ' +
  'with it twice a day in most harbours where clocks and tables were kept by hand until machines came to print them'
).split(' ')
const WORDS_PER_LINE = 24
/** One empty line after this many lines, as between paragraphs. */
const PARAGRAPH_LINES = 4

/** Lines without their newlines. With newlines they have `sizeBytes`, or a little more. */
export function wikiLines(sizeBytes: number, random: () => number): string[] {
  const lines: string[] = []
  for (let length = 0; length < sizeBytes;) {
    const line = lines.length % PARAGRAPH_LINES === PARAGRAPH_LINES - 1 ? '' : wikiLine(random)
    lines.push(line)
    length += line.length + 1
  }
  return lines
}

/** The lines, with `count` of them replaced, evenly spread. */
export function editLines(lines: readonly string[], count: number, random: () => number): string[] {
  const edited = [...lines]
  for (let edit = 0; edit < count; edit++) {
    edited[Math.floor(((edit + 0.5) * lines.length) / count)] = wikiLine(random)
  }
  return edited
}

/** The lines, with one word replaced in `count` of them, evenly spread. An empty line gets a word. */
export function editWords(lines: readonly string[], count: number, random: () => number): string[] {
  const edited = [...lines]
  for (let edit = 0; edit < count; edit++) {
    const place = Math.floor(((edit + random()) * lines.length) / count)
    const words = edited[place]!.split(' ')
    words[Math.floor(random() * words.length)] = WORDS[Math.floor(random() * WORDS.length)]!
    edited[place] = words.join(' ')
  }
  return edited
}

function wikiLine(random: () => number): string {
  const words = Array.from({ length: WORDS_PER_LINE }, () => WORDS[Math.floor(random() * WORDS.length)])
  return `${words.join(' ')}.`
}
