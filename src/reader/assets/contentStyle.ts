/** Styles of wiki content: the classes that MediaWiki's HTML and the templates of wikis have. */
export const CONTENT_STYLE = `
.mw-parser-output{overflow-wrap:break-word}
.content a{text-decoration:underline 1px;text-decoration-color:color-mix(in srgb,currentColor 30%,transparent);text-underline-offset:.18em}
.content a:hover{text-decoration-color:currentColor}
.content :is(.navbox,.mw-ref,.reference,h2,h3) a:not(:hover){text-decoration:none}
.mw-parser-output section{display:block}
.content p{margin:.5em 0 .75em}
.content h2{display:flow-root;margin:1.1em 0 .35em;padding-bottom:2px;border-bottom:1px solid var(--border-color-subtle);font-size:1.5rem}
.content h3{margin:1em 0 .2em;font-size:1.2rem}
.content h4,.content h5,.content h6{margin:1em 0 .2em;font-size:1rem}
.mw-heading{margin:0}
:target{scroll-margin-top:12px}
.content ul,.content ol{margin:.3em 0 .6em;padding-inline-start:1.6em}
.content li{margin-bottom:.15em}
.content dl{margin:.3em 0 .6em}
.content dd{margin:0 0 .15em 1.6em;margin-inline:1.6em 0}
.content dt{font-weight:700}
.content hr{height:1px;border:0;background:var(--border-color-base);margin:.6em 0}
.content blockquote{margin:1em 0;padding:.2em 1.2em;border-inline-start:4px solid var(--border-color-subtle)}
.content abbr[title]{text-decoration:underline dotted;cursor:help}
.content sup,.content sub{line-height:1;font-size:.8em}
.content big{font-size:larger}
.content img,.content video{max-width:100%;height:auto;vertical-align:middle}
.content audio{max-width:100%}
.content a.external,.content a[rel~=mw\\:ExtLink]{overflow-wrap:anywhere}
.content a[rel~=mw\\:ExtLink]::after,.foot a[rel=license]::after{content:'\\2197';font-size:.75em;vertical-align:super;margin-inline-start:1px;text-decoration:none;display:inline-block}
.mw-parser-output{counter-reset:mw-external}
.content a.autonumber{counter-increment:mw-external}
.content a.autonumber::before{content:'[' counter(mw-external) ']'}
.content a[rel~=mw\\:ExtLink]:has(img)::after,.infobox a[rel~=mw\\:ExtLink]::after,.navbox a::after{content:none!important}
.mw-parser-output [id]:target:is(li,sup,span,tr,dt){background:var(--background-color-progressive-subtle)}
code,kbd,samp,pre,tt{font-family:ui-monospace,'Cascadia Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:.875em;direction:ltr;unicode-bidi:isolate}
.content code{padding:1px 4px;border:1px solid var(--border-color-subtle);border-radius:var(--border-radius-base);background:var(--background-color-neutral-subtle)}
.content pre{margin:.75em 0;padding:.75em 1em;overflow-x:auto;border:1px solid var(--border-color-subtle);background:var(--background-color-neutral-subtle);line-height:1.45;text-align:left}
.content pre code{padding:0;border:0;font-size:1em}
.mw-highlight-lines .linenos{display:inline-block;width:2.5em;margin-right:1em;color:var(--color-subtle);text-align:right;user-select:none}
.mw-highlight-lines .linenos::before{content:attr(data-line)}
.hljs-comment,.hljs-quote{color:var(--color-subtle);font-style:italic}
.hljs-keyword,.hljs-selector-tag,.hljs-type,.hljs-section,.hljs-name{color:var(--hl-keyword)}
.hljs-string,.hljs-regexp,.hljs-addition,.hljs-attribute,.hljs-selector-attr{color:var(--color-success)}
.hljs-number,.hljs-literal,.hljs-symbol,.hljs-bullet,.hljs-variable,.hljs-template-variable{color:var(--color-warning)}
.hljs-title,.hljs-selector-id,.hljs-selector-class,.hljs-built_in{color:var(--color-progressive)}
.hljs-meta,.hljs-deletion,.hljs-attr{color:var(--color-destructive)}
.hljs-emphasis{font-style:italic}
.hljs-strong{font-weight:700}
.content table{border-collapse:collapse;max-width:100%}
.content caption,.content figcaption{color:var(--color-base)}
.content caption{padding:4px;font-weight:700}
.wikitable,table.mw-json{margin:1em 0;background:var(--background-color-base);border:1px solid var(--border-color-base);color:var(--color-base)}
.wikitable>*>tr>:is(th,td),.mw-json :is(th,td){padding:.25em .5em;border:1px solid var(--border-color-base)}
.wikitable>*>tr>th,.mw-json th{background:var(--background-color-neutral);text-align:center}
.mw-json th{text-align:start}
.mw-json{font-size:.9375em}
.jquery-tablesorter th,table.sortable[data-sorts] thead th{cursor:pointer}
th>button.sorter{all:unset;cursor:pointer;font-weight:700}
th>button.sorter:focus-visible{outline:2px solid var(--border-color-progressive--focus)}
th>button.sorter:empty{display:inline-block;min-width:1.5rem;text-align:center}
th>button.sorter::after{content:' \\21C5';color:var(--color-subtle);font-size:.85em}
th[aria-sort=ascending]>button.sorter::after{content:' \\2191'}
th[aria-sort=descending]>button.sorter::after{content:' \\2193'}
.infobox,.content table[class*=infobox]{float:inline-end;clear:inline-end;width:22em;max-width:100%;margin:0 0 1em 1.25em;margin-inline:1.25em 0;padding:.25em;border:1px solid var(--border-color-base);background:var(--background-color-neutral-subtle);font-size:.875rem;line-height:1.5}
.infobox :is(th,td){padding:.2em .35em;vertical-align:top;text-align:start}
.infobox caption,.infobox-title,.infobox-above{font-size:1.15em;font-weight:700;text-align:center}
.infobox-image,.infobox-header,.infobox-subheader,.infobox-below,.infobox-full-data,.infobox [colspan]{text-align:center}
.infobox>*>tr:first-child>th[colspan]{font-size:1.15em}
.infobox img{max-width:100%}
.navbox{clear:both;width:100%;margin:1em auto 0;padding:2px;border:1px solid var(--border-color-base);background:var(--background-color-neutral-subtle);font-size:.875rem;text-align:center}
.navbox>table{width:100%}
.navbox-title,.navbox-group,.navbox-abovebelow,.navbox th{padding:.25em 1em;background:var(--background-color-progressive-subtle)}
.navbox-group{text-align:end;white-space:nowrap}
.navbox-list{width:100%;padding:.2em .75em;text-align:start}
.hlist :is(ul,ol,dl){margin:0;padding:0;display:inline}
.hlist :is(li,dd,dt){display:inline;margin:0}
.hlist li:not(:last-child)::after,.hlist dd:not(:last-child)::after{content:' \\00B7';font-weight:700}
.hlist :is(li,dd,dt) :is(ul,ol,dl)::before{content:' ('}
.hlist :is(li,dd,dt) :is(ul,ol,dl)::after{content:') '}
.plainlist :is(ul,ol){list-style:none;margin:0;padding:0}
.plainlinks a::after{content:none!important}
.nowrap,.nowraplinks a{white-space:nowrap}
.hatnote,.dablink,.rellink{margin:.5em 0;padding-inline-start:1.6em;font-style:italic}
.ambox,.tmbox,.ombox,.cmbox,.mbox-small{margin:.6em 0;border:1px solid var(--border-color-base);border-inline-start:8px solid var(--color-progressive);background:var(--background-color-neutral-subtle);font-size:.9375rem}
.ambox :is(td,.mbox-text),.ombox .mbox-text,.tmbox .mbox-text{padding:.3em .6em}
.mbox-small{float:inline-end;clear:inline-end;width:16em;margin-inline-start:1em}
.side-box,.sidebar,.vertical-navbox{float:inline-end;clear:inline-end;width:18em;max-width:100%;margin:0 0 1em 1em;margin-inline:1em 0;padding:.4em;border:1px solid var(--border-color-base);background:var(--background-color-neutral-subtle);font-size:.875rem;text-align:center}
.toc,#toc,.mw-empty-elt,.noexcerpt.nomobile{display:none}
.toccolours{border:1px solid var(--border-color-base);background:var(--background-color-neutral-subtle);padding:5px;font-size:.9375em}
.noprint.navbar,.navbar{font-size:.85em}
.floatright{float:right;margin:0 0 .5em .8em}
.floatleft{float:left;margin:0 .8em .5em 0}
.mw-content-rtl{direction:rtl}
.mw-content-ltr{direction:ltr}
figure{margin:0}
.content figure{clear:inline-end}
figure[typeof*='/Thumb'],figure[typeof$='/Frame'],figure[typeof*='/Frame ']{display:table;float:inline-end;margin:.4em 0 1em 1.25em;margin-inline:1.25em 0;padding:4px;border:1px solid var(--border-color-subtle);background:var(--background-color-neutral-subtle);font-size:.875rem;line-height:1.45}
figure[typeof*='/Thumb']>figcaption,figure[typeof$='/Frame']>figcaption,figure[typeof*='/Frame ']>figcaption{display:table-caption;caption-side:bottom;padding:4px 6px 6px;border:1px solid var(--border-color-subtle);border-top:0;background:var(--background-color-neutral-subtle)}
figure[typeof*='/Thumb'],figure[typeof$='/Frame']{border-bottom:0}
figure:not([typeof*='/Thumb'],[typeof$='/Frame'],[typeof*='/Frame '])>figcaption{display:none}
figure.mw-halign-left{float:left;clear:left;margin:.4em 1.25em 1em 0}
figure.mw-halign-right{float:right;clear:right;margin:.4em 0 1em 1.25em}
figure.mw-halign-center{float:none;clear:none;display:table;margin:.4em auto 1em}
figure.mw-halign-none{float:none;clear:none;margin:.4em 0 1em}
figure.mw-image-border img,.mw-image-border img{border:1px solid var(--border-color-subtle)}
.mw-valign-middle img{vertical-align:middle}
.mw-broken-media,[typeof~=mw\\:Error] .mw-broken-media{display:inline-block;padding:.4em;color:var(--color-subtle);overflow-wrap:anywhere}
[typeof~=mw\\:Error]{overflow-wrap:anywhere}
[typeof~=mw\\:Error] a{color:var(--color-destructive)}
.gallery{display:flex;flex-wrap:wrap;gap:.5em 1em;margin:1em 0!important;padding:0!important;list-style:none}
.gallerycaption{flex-basis:100%;font-weight:700;text-align:center}
.gallerybox{max-width:100%;font-size:.875rem;line-height:1.45}
.gallerybox .thumb{display:grid;place-items:center;margin:0 auto;border:1px solid var(--border-color-subtle);background:var(--background-color-neutral-subtle);max-width:100%;overflow:hidden}
.gallery:is(.mw-gallery-packed,.mw-gallery-packed-overlay,.mw-gallery-packed-hover) .thumb,.mw-gallery-nolines .thumb{border:0;background:none}
.gallerytext{padding:4px;overflow-wrap:anywhere}
.mw-ref,.reference{font-size:.75em;line-height:1;vertical-align:super;white-space:nowrap;unicode-bidi:isolate}
.mw-references-wrap,.mw-references,.references,.reflist{font-size:.875rem}
.references .mw-references{font-size:1em}
.mw-references-columns{columns:30em;column-gap:2em}
.mw-references li,.references li{break-inside:avoid;overflow-wrap:anywhere}
.references .mw-cite-backlink,a[rel~=mw\\:referencedBy]{user-select:none}
a[rel~=mw\\:referencedBy],[rel~=mw\\:referencedBy]>a{padding:5px 8px}
.refbegin{font-size:.875rem}
.div-col{column-gap:2em}
math{font-size:1.1em}
math[display=block]{margin:.5em 0;padding:.25em 0;overflow-x:auto;overflow-y:hidden;max-width:100%}
.texerror{color:var(--color-error)}
.mw-stand-in{display:block;margin:.75em 0;padding:.6em .9em;border:1px dashed var(--border-color-base);background:var(--background-color-neutral-subtle);font-size:.875rem;overflow:auto}
.mw-stand-in-title{font-weight:700}
.mw-collapsible-toggle{font-weight:400;font-size:.875rem;float:inline-end;padding:0 6px}
.mw-collapsible-toggle button{all:unset;cursor:pointer;color:var(--color-progressive)}
:is([style*=background],[bgcolor]) .mw-collapsible-toggle button{color:inherit;text-decoration:underline}
.mw-collapsible-toggle button:focus-visible{outline:2px solid var(--border-color-progressive--focus)}
.is-collapsed>:is(tbody,thead)>tr:not(:first-child),.is-collapsed>tr:not(:first-child),.is-collapsed>.mw-collapsible-content{display:none}
.mw-selflink,a.selflink{color:inherit;font-weight:700}
.file-view{display:flex;flex-wrap:wrap;gap:var(--spacing-100) var(--spacing-150);align-items:flex-start;margin-bottom:1em}
.file-view img{background:repeating-conic-gradient(var(--background-color-neutral) 0 25%,transparent 0 50%) 0/20px 20px}
.file-facts{display:grid;grid-template-columns:auto 1fr;gap:4px 12px;margin:0}
.file-facts dd{margin:0;overflow-wrap:anywhere}
.preview{position:absolute;z-index:200;width:min(23rem,calc(100vw - 24px));max-height:24rem;overflow:hidden;padding:0;background:var(--background-color-base);border:1px solid var(--border-color-base);box-shadow:0 4px 12px rgba(0,0,0,.25);font-size:.875rem;line-height:1.5}
.preview p{margin:0;padding:12px 16px}
.preview img{display:block;width:100%;max-height:11rem;object-fit:cover;object-position:50% 25%}
.preview .note{max-height:16rem;overflow:auto;padding:12px 16px}
.client-js .mw-collapsed:not(.is-collapsible)>:is(tbody,thead)>tr:not(:first-child),.client-js div.mw-collapsed:not(.is-collapsible)>*{display:none}
.mw-editsection{margin-inline-start:.6em;font:.875rem/1 system-ui,sans-serif;white-space:nowrap;user-select:none}
#coordinates{position:absolute!important;inset:-.75rem auto auto!important;inset-inline-end:0!important;margin:0!important;padding:0!important;font-size:.8125rem;line-height:1;white-space:nowrap}
.content .fold{all:unset}
.table-frame{overflow-x:auto;margin:1em 0}
.content .table-frame>table{display:table;max-width:none;margin:0}
`
