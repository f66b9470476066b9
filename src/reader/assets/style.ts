/** The style sheet of the pages, from its parts. */
import { VIEWS_STYLE } from './viewsStyle.js'

export const STYLE = [VIEWS_STYLE].join('\n')
