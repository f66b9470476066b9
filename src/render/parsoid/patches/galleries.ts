/** Ignores options in gallery lines that a gallery cannot use. */
import type { Load } from './load.js'

interface GalleryLine {
  readonly line: string
}

interface GalleryItem {
  readonly rdfaType: string
}

interface GalleryClass {
  readonly name: string
  pLine(data: unknown, line: GalleryLine): { then(done: (item: GalleryItem | null) => unknown): unknown }
}

interface EngineConfig {
  readonly prototype: { readonly defaultNativeExtensions: readonly GalleryClass[] }
}

/** The type of a picture, such as `mw:Image/Thumb`, with its format. */
const FORM = /(mw:(?:Image|Audio|Video))\/\w+/g

/** Removes formats such as `thumb` from pictures of a gallery, and accepts Windows line ends. */
export function patchGalleries(load: Load): void {
  const { ParsoidConfig } = load<{ ParsoidConfig: EngineConfig }>('lib/config/ParsoidConfig.js')
  const gallery = ParsoidConfig.prototype.defaultNativeExtensions.find(({ name }) => name === 'Gallery')
  if (gallery === undefined) throw new Error('the engine has no galleries')
  const pLine = gallery.pLine.bind(gallery)
  gallery.pLine = (data, { line, ...more }) =>
    pLine(data, { ...more, line: line.replace(/\r$/, '') }).then(
      (item) => item && { ...item, rdfaType: item.rdfaType.replace(FORM, '$1') },
    ) as ReturnType<GalleryClass['pLine']>
}
