/** Colour themes: light, dark, and that of the system. */
import { DARK_TOKENS, LIGHT_TOKENS } from './tokens.js'

const LIGHT = `${LIGHT_TOKENS}--hl-keyword:#6b4ba1;`
const DARK = `${DARK_TOKENS}--hl-keyword:#b9a3e3;`

/** Elements to which the page itself gives a background. */
const PAINTED = `:is([style*=background],[bgcolor]):not([style*='background:none'],[style*='background: none'],[style*=transparent])`
/** Elements to whose text the page itself gives a colour. */
const COLORED = `:is([style^='color:'],[style*=';color:'],[style*=' color:'],[color])`

/**
 * Authors set light backgrounds for single elements, without a colour of their text. So everything inside has the light
 * theme, in every theme. The background of a table does not reach its caption. A colour without a background was chosen
 * for white paper, so it gets lighter. Pictures with transparent backgrounds are drawn for white paper, too.
 */
const darkContent = (theme: string): string => `
${theme} .mw-parser-output ${COLORED}{-webkit-text-fill-color:oklch(from currentcolor max(l,.7) c h)}
${theme} .mw-parser-output ${PAINTED},${theme} .mw-parser-output ${PAINTED} ${COLORED}{-webkit-text-fill-color:currentcolor}
${theme} .mw-parser-output ${PAINTED}:not(${COLORED} *){color:var(--color-base)}
${theme} .mw-parser-output table${PAINTED}>caption{background:inherit}
${theme} .mw-parser-output :is(figure,.infobox,.gallerybox,span[typeof^=mw\\:Image],span[typeof^=mw\\:File]) img{background:#fff}
`

export const THEME_STYLE = `
:root,.mw-parser-output ${PAINTED}{color-scheme:light;${LIGHT}}
.theme-dark{${DARK}}
${darkContent('.theme-dark')}
@media (prefers-color-scheme:dark){
:root:not(.theme-light,.theme-dark){color-scheme:dark;${DARK}}
${darkContent(':root:not(.theme-light)')}
}
@media print{:root.theme-dark,:root:not(.theme-light,.theme-dark),:root{color-scheme:light;${LIGHT}}}
`
