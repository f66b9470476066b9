/** Colour themes: light, dark, and that of the system. */
import { DARK_TOKENS, LIGHT_TOKENS } from './tokens.js'

const LIGHT = `${LIGHT_TOKENS}--hl-keyword:#6b4ba1;`
const DARK = `${DARK_TOKENS}--hl-keyword:#b9a3e3;`

/** The tokens that text on a light background needs. */
const LIGHT_TEXT = LIGHT_TOKENS.split(';')
  .filter((token) =>
    /^--color-(base|emphasized|subtle|progressive|visited|destructive)(--visited)?:/.test(token),
  )
  .join(';')

/**
 * Authors set light backgrounds for single elements, without a colour of their text. So text there is dark in every
 * theme. Pictures with transparent backgrounds are drawn for white paper.
 */
const darkContent = (theme: string): string => `
${theme} .mw-parser-output :is([style*=background],[bgcolor]):not([style*='background:none'],[style*='background: none'],[style*=transparent]){color:#202122;${LIGHT_TEXT}}
${theme} .mw-parser-output :is(figure,.infobox,.gallerybox,span[typeof^=mw\\:Image],span[typeof^=mw\\:File]) img{background:#fff}
`

export const THEME_STYLE = `
:root{${LIGHT}}
.theme-dark{${DARK}}
${darkContent('.theme-dark')}
@media (prefers-color-scheme:dark){
:root:not(.theme-light,.theme-dark){color-scheme:dark;${DARK}}
${darkContent(':root:not(.theme-light)')}
}
@media print{:root.theme-dark,:root:not(.theme-light,.theme-dark),:root{color-scheme:light;${LIGHT}}}
`
