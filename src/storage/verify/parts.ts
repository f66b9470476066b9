/** The parts of a store in the order of their checks. */
export const VERIFY_PARTS = [
  'file',
  'pages',
  'actors',
  'administration',
  'files',
  'SQL tables',
  'HTML',
  'log',
  'search index',
  'categories',
] as const
export type VerifyPart = (typeof VERIFY_PARTS)[number]
