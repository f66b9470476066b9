/** Headers of uploaded files. Anyone may upload them, and browsers show them under the wiki's own origin. */
import { SVG } from '../../domain/mediaTypes.js'
import { encodePercent } from '../../domain/percent.js'
import { headerLines } from './reply.js'

/** Types that browsers show without running code in them. */
const SHOWN = /^(?:image|audio|video)\/(?!svg)|^application\/(?:ogg|pdf)$/
/** An SVG drawing may use styles and embedded pictures, but no scripts, and it is isolated from the wiki's origin. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
/** One year: changed contents get a new URL. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Header lines for a file of this type. Browsers show SVG in a sandbox, and save other types outside of SHOWN. */
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
