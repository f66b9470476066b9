/**
 * Pages in a layout of one's own: node examples/page.mjs http://127.0.0.1:8080 8081
 *
 * The HTML of the API is safe to show: it has no scripts. Its links are relative to the page's address.
 */
import { createServer } from 'node:http'

const [url = 'http://127.0.0.1:8080', port = '8081'] = process.argv.slice(2)
const escape = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost')
  const title = pathname === '/' ? 'Main_Page' : decodeURIComponent(pathname.slice(1))
  try {
    const answer = await fetch(`${url}/v1/page/${encodeURIComponent(title)}/with_html`, {
      redirect: 'follow',
    })
    const page = await answer.json()
    response.writeHead(answer.status, { 'content-type': 'text/html; charset=utf-8' })
    response.end(
      answer.ok ? layout(page) : `<p>${escape(page.messageTranslations?.en ?? 'no such page')}</p>`,
    )
  } catch (error) {
    response.writeHead(502).end(`the wiki does not answer: ${error.message}\n`)
  }
})

function layout({ title, html, latest, license }) {
  // The API answers with a whole document, of which the layout needs what is inside of the body.
  const content = /<body[^>]*>([^]*)<\/body>/.exec(html)[1]
  return `<!doctype html>
<title>${escape(title)}</title>
<style>body { font: 18px/1.6 serif; max-width: 40em; margin: auto }</style>
<h1>${escape(title)}</h1>
${content}
<footer>Last change: ${escape(latest.timestamp)} <a href="${escape(license.url)}">${escape(license.title)}</a></footer>
`
}

server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`))
