/** Styles of the views beside the article: histories, comparisons, lists, forms. */
export const VIEWS_STYLE = `
`
