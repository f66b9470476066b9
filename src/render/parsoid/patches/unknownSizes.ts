/**
 * Pictures of unknown size, such as those of another repository. They get the width that the page requests, or else the
 * requested height, and keep their proportions.
 */
import type { DomElement } from '../../html/dom.js'
import type { Load } from './sourceEdits.js'

interface Size {
  readonly width: number | null
  readonly height: number | null
}

interface FileInfo {
  readonly width: number
  readonly height: number
}

interface MediaInfoClass {
  handleImage: (
    env: unknown,
    container: DomElement,
    attributes: { readonly size: Size },
    info: FileInfo,
    manual: FileInfo | null,
    described: unknown,
  ) => { readonly elt: DomElement }
}

interface DataUtilities {
  addNormalizedAttribute(
    element: DomElement,
    name: string,
    value: string,
    source: string | null,
    isOfWikitext: boolean,
  ): void
  getDataParsoid(element: DomElement): {
    readonly a?: Record<string, unknown>
    readonly sa?: Record<string, unknown>
  }
}

const SIZES = ['width', 'height'] as const

export function patchUnknownSizes(load: Load): void {
  const { AddMediaInfo } = load<{ AddMediaInfo: MediaInfoClass }>('lib/wt2html/pp/processors/AddMediaInfo.js')
  const { DOMDataUtils } = load<{ DOMDataUtils: DataUtilities }>('lib/utils/DOMDataUtils.js')
  const { handleImage } = AddMediaInfo
  AddMediaInfo.handleImage = (env, container, attributes, info, manual, described) => {
    const image = handleImage.call(AddMediaInfo, env, container, attributes, info, manual, described)
    const { width, height } = manual ?? info
    if (width === 0 || height === 0) setAskedSize(image.elt, attributes.size, DOMDataUtils)
    return image
  }
}

/** Sets only width or height; the browser computes the other when it has the picture. */
function setAskedSize(image: DomElement, { width, height }: Size, dataUtilities: DataUtilities): void {
  const { a: values, sa: sources } = dataUtilities.getDataParsoid(image)
  for (const name of SIZES) {
    image.removeAttribute(name)
    image.removeAttribute(`data-file-${name}`)
    if (values !== undefined) delete values[name]
    if (sources !== undefined) delete sources[name]
  }
  const name = width === null ? 'height' : 'width'
  const asked = width ?? height
  if (asked !== null) dataUtilities.addNormalizedAttribute(image, name, String(asked), null, true)
}
