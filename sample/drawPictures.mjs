/**
 * Draws the PNG of the sample wiki: `node sample/drawPictures.mjs`. The result is kept beside the other files, since
 * letters look as the fonts of the machine have them.
 */
import { join } from 'node:path'
import sharp from 'sharp'

const RUN = 15
const STEP = 46

/** A chain of texts: the latest in full, older ones as deltas, a full copy after fifteen of them. */
function revisionChain() {
  const texts = Array.from({ length: RUN + 3 }, (_, n) => {
    const x = 24 + n * STEP
    const isFull = n === 0 || n === RUN + 1
    const arrow = n === RUN || n === RUN + 2 ? '' : `<path d="M${x + 34} 95q12 -34 28 -6"/>`
    const box = `<rect x="${x}" y="${isFull ? 60 : 90}" width="34" height="${isFull ? 100 : 40}" rx="5"/>`
    return { arrow, box, isFull }
  })
  const boxes = (wanted) => texts.filter(({ isFull }) => isFull === wanted).map(({ box }) => box).join('')
  const width = 24 + texts.length * STEP
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="220" font-family="DejaVu Sans, sans-serif" font-size="17">
    <rect width="100%" height="100%" fill="#fbfaf6"/>
    <g stroke="#3d4f63" stroke-width="2" fill="#d8e4f0">${boxes(false)}</g>
    <g stroke="#3d4f63" stroke-width="2" fill="#f3dcc2">${boxes(true)}</g>
    <g stroke="#7a7468" stroke-width="2" fill="none">${texts.map(({ arrow }) => arrow).join('')}</g>
    <g fill="#26313d">
      <text x="24" y="36">latest text, in full</text><text x="${24 + (RUN + 1) * STEP - 4}" y="36">full</text>
      <text x="${width / 2}" y="200" text-anchor="middle">older texts: what changes to make from the next newer one</text>
    </g>
  </svg>`
}

const target = join(import.meta.dirname, 'files', 'Revision_chain.png')
await sharp(Buffer.from(revisionChain())).png({ palette: true, colours: 32 }).toFile(target)
