import type { ParserFunction } from '../functionCall.js'

/** Functions by the name before the colon, in lower case unless its case counts. */
export type FunctionTable = Readonly<Record<string, ParserFunction>>
