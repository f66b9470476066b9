/** Files that pages load: style sheet, scripts and icon. Each URL has a hash of the contents, so it never changes. */
import { createHash } from 'node:crypto'
import { ICON } from '../../reader/assets/icon.js'
import { SCRIPT, THEME_SCRIPT } from '../../reader/assets/script.js'
import { STYLE } from '../../reader/assets/style.js'
import type { AssetLinks } from '../../reader/site.js'

const FOLDER = '/assets/'
const HASH_DIGITS = 16

type AssetName = Exclude<keyof AssetLinks, 'wiki'>

const SOURCES = {
  style: { text: STYLE, ending: 'css', type: 'text/css; charset=utf-8' },
  theme: { text: THEME_SCRIPT, ending: 'js', type: 'text/javascript; charset=utf-8' },
  script: { text: SCRIPT, ending: 'js', type: 'text/javascript; charset=utf-8' },
  icon: { text: ICON, ending: 'svg', type: 'image/svg+xml' },
} as const satisfies Record<AssetName, object>

export interface AssetFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly type: string
  readonly etag: string
}

export class AssetFiles {
  readonly links: AssetLinks
  readonly #byName = new Map<string, AssetFile>()

  /** `root` is the wiki's, before the path of each file. */
  constructor(root: string) {
    const link = (name: AssetName): string => this.#add(root, name)
    this.links = { style: link('style'), theme: link('theme'), script: link('script'), icon: link('icon') }
  }

  /** The file with a name such as `style.0123456789abcdef.css`, whatever its hash. */
  find(fileName: string): AssetFile | undefined {
    return this.#byName.get(fileName.replace(/\.[0-9a-f]{1,64}\./, '.'))
  }

  #add(root: string, name: AssetName): string {
    const { text, ending, type } = SOURCES[name]
    const bytes = Buffer.from(text)
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_DIGITS)
    const path = `${root}${FOLDER}${name}.${hash}.${ending}`
    this.#byName.set(`${name}.${ending}`, { path, bytes, type, etag: `"${hash}"` })
    return path
  }
}
