/** An extension tag as it stands in a page: `<math display="block">x^2</math>`. */

export interface ExtensionTag {
  readonly name: string
  /** Names in lower case. */
  readonly attributes: ReadonlyMap<string, string>
  /** Undecoded, between the tags; empty for `<tag/>`. */
  readonly content: string
}

/**
 * HTML for a tag. It is trusted: nothing sanitises it afterwards, so whatever comes from the tag must be escaped or
 * checked here. Empty: nothing to see.
 */
export type RenderTag = (tag: ExtensionTag) => string

/** Bounds what one tag may cost. */
export const MAX_TAG_LENGTH = 200_000
