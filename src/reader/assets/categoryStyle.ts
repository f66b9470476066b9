/** Styles of the lists below the page of a category. */
export const CATEGORY_STYLE = `
.category-members{clear:both;margin-top:var(--spacing-150)}
.category-members .columns{columns:16rem}
.category-members h3{margin:var(--spacing-50) 0 0;break-after:avoid}
.category-members ul{margin:0 0 var(--spacing-50);overflow-wrap:anywhere}
`
