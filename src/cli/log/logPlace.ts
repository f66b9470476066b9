/** A place in the log: a position, or a time in seconds since 1970. */
export type LogPlace = { readonly sequence: number } | { readonly time: number }
