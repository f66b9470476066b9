import type { Html } from '../html.js'

/** A part of a page: HTML, or its bytes in UTF-8, which long parts come as. */
export type PagePart = Html | Uint8Array
