/** Pages for readers as a folder of files, with everything that they need, as a ZIM file holds them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Elements that load something of the page's own server: style sheets, scripts, pictures. */
const LOADING = /<(?:link rel="(?:stylesheet|icon)"|script|img)[^>]*? (?:href|src)="(\/[^"?#]*)[^"]*"/g
const BASE = /<base [^>]*>/

/** Writes each page as `N.html`. Files that they load stand beside them, under names without folders. */
export async function writeBook(folder: string, origin: string, addresses: readonly string[]): Promise<void> {
  const files = new Map<string, string>()
  for (const [n, address] of addresses.entries()) {
    const page = await (await fetch(address)).text()
    const local = page.replace(BASE, '').replace(LOADING, (element, path: string) => {
      const name = files.get(path) ?? `${files.size}-${path.split('/').at(-1)}`
      files.set(path, name)
      return element.replace(/"\/[^"]*"$/, `"${name}"`)
    })
    writeFileSync(join(folder, `${n}.html`), local)
  }
  for (const [path, name] of files) {
    const answer = await fetch(origin + path)
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    writeFileSync(join(folder, name), Buffer.from(await answer.arrayBuffer()))
  }
}
