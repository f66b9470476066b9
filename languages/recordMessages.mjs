/**
 * Records what the recording of languages lacks: the names of months of other calendars, and the signs of lists. Asks a
 * running MediaWiki for its messages in each language, and writes one JSON value a line.
 *
 *     node languages/recordMessages.mjs http://127.0.0.1:8080/api.php en de fr > messages.jsonl
 */
const MONTHS = Array.from({ length: 12 }, (_, month) => String(month + 1))
const HEBREW = [...MONTHS, '6a', '6b']
const named = (calendar, months, end = '') => months.map((month) => `${calendar}-calendar-m${month}${end}`)
const CALENDARS = {
  hebrew: named('hebrew', HEBREW),
  hebrewGenitive: named('hebrew', HEBREW, '-gen'),
  iranian: named('iranian', MONTHS),
  islamic: named('hijri', MONTHS),
}
/** In the order of `LIST_SIGNS` in src/language/language.ts. */
const SIGNS = ['comma-separator', 'and', 'word-separator', 'colon-separator', 'parentheses']

async function messages(api, language, names) {
  const query = { action: 'query', meta: 'allmessages', format: 'json', formatversion: '2', amlang: language }
  const answer = await fetch(`${api}?${new URLSearchParams({ ...query, ammessages: names.join('|') })}`)
  const { allmessages } = (await answer.json()).query
  return allmessages.map(({ content }) => content)
}

const [api, ...languages] = process.argv.slice(2)
for (const code of languages) {
  const row = { code }
  for (const [calendar, names] of Object.entries(CALENDARS)) row[calendar] = await messages(api, code, names)
  row.signs = await messages(api, code, SIGNS)
  process.stdout.write(`${JSON.stringify(row)}\n`)
}
