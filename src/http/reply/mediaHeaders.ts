/** Headers of uploaded files: they come from anybody, and are shown under the wiki's own address. */
import { SVG } from '../../domain/mediaTypes.js'
import { encodePercent } from '../../domain/percent.js'
import { headerLines } from './reply.js'

/** What browsers show without running any of it. */
const SHOWN = /^(?:image|audio|video)\/(?!svg)|^application\/(?:ogg|pdf)$/
/** A drawing may have styles and its own pictures, but no scripts, and no part in the wiki's origin. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
/** A year: the URL changes with the contents. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Header lines for a file of this type: what is neither picture nor sound is to be saved, not shown. */
export function mediaHeaders(mimeType: string, name: string): string {
  return headerLines({
    'Content-Type': mimeType,
    'Cache-Control': FOR_EVER,
    'Accept-Ranges': 'bytes',
    ...(!SHOWN.test(mimeType) && { 'Content-Security-Policy': SANDBOX }),
    ...(!SHOWN.test(mimeType) &&
      mimeType !== SVG && { 'Content-Disposition': `attachment; filename*=UTF-8''${encodePercent(name)}` }),
  })
}
