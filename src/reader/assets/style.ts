/** The style sheet of the pages, from its parts. */
import { CONTENT_STYLE } from './contentStyle.js'
import { PHONE_STYLE } from './phoneStyle.js'
import { SHELL_STYLE } from './shellStyle.js'
import { THEME_STYLE } from './themeStyle.js'
import { VIEWS_STYLE } from './viewsStyle.js'

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
