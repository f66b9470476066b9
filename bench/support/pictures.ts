/** Pictures that are costly to scale: noise, which compresses badly. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

const SIZE = { width: 2400, height: 1800 }
const WIDTHS = [640, 800, 960, 1024, 1280, 1600, 1920]
const VERSION_DIGITS = 16

/** Writes JPEG files into a folder. Returns the paths of their scaled forms on a server that has them. */
export async function writePictures(folder: string, count: number): Promise<string[]> {
  const paths: string[] = []
  for (let n = 1; n <= count; n++) {
    const name = `Noise_${n}.jpg`
    const bytes = await sharp({
      create: {
        ...SIZE,
        channels: 3,
        background: 'grey',
        noise: { type: 'gaussian', mean: 128, sigma: 10 + n },
      },
    })
      .jpeg()
      .toBuffer()
    writeFileSync(join(folder, name), bytes)
    const version = createHash('sha256').update(bytes).digest('hex').slice(0, VERSION_DIGITS)
    paths.push(...WIDTHS.map((width) => `/media/${version}/${name}/${width}px-${name}`))
  }
  return paths
}
