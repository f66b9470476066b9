/** The style sheet of the pages, from its parts. */
import { CATEGORY_STYLE } from './categoryStyle.js'
import { CONTENT_STYLE } from './contentStyle.js'
import { SHELL_STYLE } from './shellStyle.js'
import { THEME_STYLE } from './themeStyle.js'
import { VIEWS_STYLE } from './viewsStyle.js'

/** Parts that use design tokens. */
export const STYLE_PARTS = [SHELL_STYLE, CONTENT_STYLE, CATEGORY_STYLE, VIEWS_STYLE] as const

/** Themes come last: a few of their rules replace rules of the others. */
export const STYLE = [...STYLE_PARTS, THEME_STYLE].join('\n').replace(/\n+/g, '\n').trim()
