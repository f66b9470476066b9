/**
 * Takes the engine's tokenizer from a file that the build makes. Compiling the grammar in each render thread took half
 * of the processor time of its start.
 */
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { compiledFile } from '../../../runtime/packageFiles.js'
import type { Load } from './sourceEdits.js'
import { fastTokenizer } from './speed/grammar.js'

interface Tokenizer {
  readSource(): string
  /** Gives the source of an expression. The package passes a syntax tree, which the method does not use. */
  compileTokenizer(): string
}

interface TokenizerClass {
  readonly prototype: Tokenizer & { tokenizer?: unknown; initTokenizer: () => void }
}

/** What the file exports. */
interface GrammarModule {
  readonly key: string
  readonly makeTokenizer: () => unknown
}

const GRAMMAR_FILE = compiledFile('grammar.cjs')

/**
 * Must come after the changes of the grammar. If the file is missing or of another grammar, the thread compiles a
 * slower tokenizer.
 */
export function patchCompilation(load: Load): void {
  const { prototype } = load<{ PegTokenizer: TokenizerClass }>('lib/wt2html/tokenizer.js').PegTokenizer
  const compile = prototype.initTokenizer
  prototype.initTokenizer = function (this: Tokenizer) {
    const compiled = loadCompiled()
    if (compiled?.key === keyOf(this)) prototype.tokenizer = compiled.makeTokenizer()
    else compile.call(this)
  }
}

/** The text of the file, in CommonJS. */
export function grammarModule(load: Load): string {
  const { prototype } = load<{ PegTokenizer: TokenizerClass }>('lib/wt2html/tokenizer.js').PegTokenizer
  const tokenizer = Object.create(prototype) as Tokenizer
  return `exports.key = '${keyOf(tokenizer)}'\nexports.makeTokenizer = () =>\n${fastTokenizer(tokenizer.compileTokenizer())}`
}

/** Depends on the grammar, and on the package's options for its compiler. */
function keyOf(tokenizer: Tokenizer): string {
  return createHash('sha256')
    .update(tokenizer.readSource())
    .update(tokenizer.compileTokenizer.toString())
    .digest('hex')
}

function loadCompiled(): GrammarModule | undefined {
  try {
    return createRequire(import.meta.url)(GRAMMAR_FILE) as GrammarModule
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
