import type { ParserFunction } from '../functionCall.js'

/** By the name that stands before the colon, in lower case unless its case counts. */
export type FunctionTable = Readonly<Record<string, ParserFunction>>
