/** Appends a line to a page: node examples/edit.mjs http://127.0.0.1:8080 Sandbox 'One more line' */
const [url, page, line] = process.argv.slice(2)
if (line === undefined) throw new Error('usage: node examples/edit.mjs URL PAGE LINE')

const address = `${url}/v1/page/${encodeURIComponent(page)}`
const { TOKEN } = process.env

/** Reads the page, and saves it with the line. Undefined: another edit came in between, and changed the same place. */
async function append() {
  const { source, latest } = await answerOf(await fetch(address))
  const edit = { source: `${source}\n${line}`, comment: 'One more line', latest: { id: latest.id } }
  // Who is not logged in sends the fixed CSRF token of MediaWiki. With an access token, no other is needed.
  const body = TOKEN === undefined ? { ...edit, token: '+\\' } : edit
  const authorization = TOKEN && { authorization: `Bearer ${TOKEN}` }
  const headers = { 'content-type': 'application/json', ...authorization }
  const response = await fetch(address, { method: 'PUT', headers, body: JSON.stringify(body) })
  // The server merges edits of different places by itself. 409 is an edit of the same place.
  return response.status === 409 ? undefined : answerOf(response)
}

/** The JSON of an answer. Throws an error with the server's message for people. */
async function answerOf(response) {
  const body = await response.json()
  if (!response.ok) throw new Error(`${response.status} ${body.errorKey}: ${body.messageTranslations?.en}`)
  return body
}

let saved
for (let attempt = 0; attempt < 5 && saved === undefined; attempt++) saved = await append()
if (saved === undefined) throw new Error('others edit the end of this page all the time: try again later')
console.log(`revision ${saved.latest.id} of ${saved.title}`)
