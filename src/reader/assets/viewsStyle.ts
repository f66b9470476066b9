/** Styles of the views beside the article: histories, comparisons, lists, forms. */

/** From this width on, a preview stands beside its text. */
export const BESIDE_WIDTH = '1100px'

export const VIEWS_STYLE = `
.visually-hidden{position:absolute;width:1px;height:1px;margin:-1px;padding:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.pager ul{display:flex;flex-wrap:wrap;gap:4px var(--spacing-100);margin:var(--spacing-75) 0;padding:0;list-style:none}
.pager li{margin:0}
.pager span{color:var(--color-subtle)}
.legend,.note{color:var(--color-subtle);font-size:.875rem}
.revisions{margin:var(--spacing-50) 0;padding:0!important;list-style:none}
.revisions li{padding:4px 2px;border-bottom:1px solid var(--border-color-muted);line-height:1.5;overflow-wrap:anywhere}
.revisions .links,.revisions .user-tools,.size{color:var(--color-subtle);font-size:.875em;white-space:nowrap}
.choice{white-space:nowrap;margin-inline-end:4px}
.choice input{width:1.125rem;height:1.125rem;margin:0 3px;vertical-align:-3px;accent-color:var(--color-progressive)}
.revisions .time-link,.revisions .by,.revisions .comment{margin-inline-start:3px}
.revisions .by,.revisions .page-name{margin-inline-end:3px}
.content .mark{font-weight:700;text-decoration:none}
.change{font-size:.9375em}
.change.grown{color:var(--color-success)}
.change.shrunk{color:var(--color-destructive)}
.change.same{color:var(--color-subtle)}
.change.large{font-weight:700}
.comment{font-style:italic}
.autocomment{color:var(--color-subtle)}
.removed{color:var(--color-subtle);text-decoration:line-through}
.tag{padding:0 6px;border:1px solid var(--border-color-subtle);border-radius:var(--border-radius-base);font-size:.8125em}
.page-name{font-weight:700}
.diff-heads{display:grid;grid-template-columns:1fr 1fr;gap:var(--spacing-100)}
.diff-head{min-width:0;padding:var(--spacing-50) var(--spacing-75);background:var(--background-color-neutral-subtle);border-top:3px solid var(--border-color-content-removed);font-size:.9375rem;overflow-wrap:anywhere}
.diff-head.new{border-top-color:var(--border-color-content-added)}
.diff-head p{margin:0 0 2px}
.diff-pager ul{justify-content:space-between}
.diff-between,.diff-equal{text-align:center;color:var(--color-subtle)}
.content .diff{table-layout:fixed;width:100%;border-spacing:0 4px;border-collapse:separate;font-size:.875rem}
.diff-marker{width:1.75em}
.diff td{padding:0;vertical-align:top}
.diff-number{padding-top:8px!important;font-weight:700;color:var(--color-subtle)}
.diff .diff-sign{text-align:center;font-weight:700}
.diff-sign a{display:block;text-decoration:none}
.diff-line div{min-height:1.6em;padding:1px 6px;white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--border-color-muted);border-inline-start-width:4px;border-radius:var(--border-radius-base)}
.diff-context div{background:var(--background-color-neutral-subtle);color:var(--color-subtle)}
.diff-deleted div{border-color:var(--border-color-content-removed)}
.diff-added div{border-color:var(--border-color-content-added)}
.diff ins,.diff del{padding:1px 0;border-radius:var(--border-radius-base);font-weight:700;text-decoration:none}
.diff del{background:var(--background-color-content-removed);color:var(--color-emphasized)}
.diff ins{background:var(--background-color-content-added);color:var(--color-emphasized)}
.search-form,.fields{display:flex;flex-wrap:wrap;gap:var(--spacing-50) var(--spacing-100);align-items:end;margin:var(--spacing-75) 0}
.search-form{align-items:stretch}
.search-form input{flex:1 1 16rem;max-width:36rem}
.search-form :is(select,[name=category]){flex:1 1 8rem;min-width:0;max-width:16rem}
.fields label{display:grid;font-size:.875rem}
.fields span label{display:inline}
.content .results{margin:var(--spacing-100) 0;padding:0;list-style:none}
.results li{display:flex;gap:var(--spacing-75);margin-bottom:var(--spacing-100)}
.result{min-width:0;max-width:44rem}
.results p{margin:2px 0;overflow-wrap:anywhere}
.content .result-title{margin:0;padding:0;border:0;font:inherit;font-size:1.0625rem;overflow-wrap:anywhere}
.matched{font-size:.875rem;color:var(--color-subtle)}
.excerpt{font-size:.9375rem}
.searchmatch{font-weight:700}
.results .thumbnail{flex:none;width:60px;height:auto;align-self:start}
.content .titles{columns:16rem;margin:var(--spacing-75) 0;padding:0;list-style:none}
.titles li{break-inside:avoid;overflow-wrap:anywhere}
.figures td{text-align:end;font-variant-numeric:tabular-nums}
.edit textarea,.content textarea{display:block;width:100%;resize:vertical;font:.875rem/1.5 ui-monospace,'Cascadia Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace;tab-size:4}
.edit [name=wpSummary]{display:block;width:100%}
.edit [type=checkbox]{width:1.125rem;height:1.125rem;vertical-align:-3px;accent-color:var(--color-progressive)}
.buttons{display:flex;flex-wrap:wrap;gap:var(--spacing-50) var(--spacing-75);align-items:center}
.edit-result{margin-bottom:var(--spacing-150);padding-bottom:var(--spacing-100);border-bottom:1px solid var(--border-color-subtle)}
.edit-preview::after{content:'';display:block;clear:both}
@media (min-width:${BESIDE_WIDTH}){
main:has(.is-beside){max-width:none}
.content:has(>.is-beside){display:grid;grid-template-columns:1fr 1fr;gap:var(--spacing-150);align-items:start}
.content:has(>.is-beside)::after{content:none}
.is-beside{order:1;position:sticky;top:0;max-height:100vh;margin:0;border:0;overflow:auto}
.is-beside+.edit textarea{height:65vh}
}
.login{max-width:22rem}
.login input{display:block;width:100%}
@media (max-width:639.9px){
.diff-heads{grid-template-columns:1fr;gap:var(--spacing-50)}
.diff-head.old:empty{display:none}
.content .diff,.diff tbody{display:block}
.diff tr{display:grid;grid-template-columns:1.5em minmax(0,1fr);margin-bottom:4px}
.diff-none,.diff-context .old,.diff-number.old{display:none}
.diff-number,.diff-cut td{grid-column:1/-1}
.revisions li{padding:8px 0}
}
@media print{.choice,.edit .buttons,.pager,.history button{display:none}}
`
