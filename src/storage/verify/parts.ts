/** The parts of a store in the order of their checks. A file of its own: who names them need not load LMDB. */
export const VERIFY_PARTS = [
  'file',
  'pages',
  'actors',
  'administration',
  'files',
  'SQL tables',
  'HTML',
  'log',
  'log events',
  'search index',
  'categories',
  'links',
] as const
export type VerifyPart = (typeof VERIFY_PARTS)[number]
