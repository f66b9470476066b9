const BEYOND_ASCII = /[\x80-\xff]/

/** A text whose units are bytes, decoded as UTF-8. */
export const utf8 = (bytes: string): string =>
  BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes
