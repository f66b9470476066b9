/** The style sheet of the pages, from its parts. */
import { CONTENT_STYLE } from './contentStyle.js'
import { PHONE_STYLE } from './phoneStyle.js'
import { SHELL_STYLE } from './shellStyle.js'
import { VIEWS_STYLE } from './viewsStyle.js'
import { DARK_TOKENS, LIGHT_TOKENS } from './tokens.js'

// Colour themes: light, dark, and that of the system.

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

const THEME_STYLE = `
:root,.mw-parser-output ${PAINTED}{color-scheme:light;${LIGHT}}
.theme-dark{${DARK}}
${darkContent('.theme-dark')}
@media (prefers-color-scheme:dark){
:root:not(.theme-light,.theme-dark){color-scheme:dark;${DARK}}
${darkContent(':root:not(.theme-light)')}
}
@media print{:root.theme-dark,:root:not(.theme-light,.theme-dark),:root{color-scheme:light;${LIGHT}}}
`

/** Styles of the lists below the page of a category. */
const CATEGORY_STYLE = `
.category-members{clear:both;margin-top:var(--spacing-150)}
.category-members .columns{columns:16rem}
.category-members h3{margin:var(--spacing-50) 0 0;break-after:avoid}
.category-members ul{margin:0 0 var(--spacing-50);overflow-wrap:anywhere}
`

/** Parts that use design tokens. */
export const STYLE_PARTS = [SHELL_STYLE, CONTENT_STYLE, CATEGORY_STYLE, VIEWS_STYLE, PHONE_STYLE] as const

/** Themes come last: a few of their rules replace rules of the others. */
export const STYLE = [...STYLE_PARTS, THEME_STYLE].join('\n').replace(/\n+/g, '\n').trim()
