/** Styles of the page around a content: header, contents list, tabs, notices, footer. */
export const SHELL_STYLE = `
*,::before,::after{box-sizing:border-box}
html{color-scheme:light;font-size:100%;scroll-padding-top:var(--spacing-100);-webkit-text-size-adjust:100%}
html.theme-dark{color-scheme:dark}
body{margin:0;background:var(--background-color-base);color:var(--color-base);font:1rem/1.6 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Helvetica Neue',Arial,sans-serif}
a{color:var(--color-progressive);text-decoration:none;border-radius:var(--border-radius-base)}
a:visited{color:var(--color-visited)}
a:hover{text-decoration:underline}
a.new{color:var(--color-destructive)}
a.new:visited{color:var(--color-destructive--visited)}
:focus-visible{outline:2px solid var(--border-color-progressive--focus);outline-offset:1px}
main:focus{outline:0}
h1,h2,h3,h4,h5,h6{color:var(--color-emphasized);line-height:1.3;overflow-wrap:anywhere}
h1,.content h2{font-family:'Linux Libertine','Libertinus Serif',Georgia,'Noto Serif','Times New Roman',serif;font-weight:400}
button,input,select,textarea{font:inherit;color:inherit}
button,.button{padding:4px 12px;border:1px solid var(--border-color-base);border-radius:var(--border-radius-base);background:var(--background-color-interactive-subtle);color:var(--color-base);font-weight:700;cursor:pointer}
button:hover{background:var(--background-color-interactive)}
button.primary{background:var(--background-color-progressive);border-color:var(--background-color-progressive);color:var(--color-inverted-fixed)}
input:where(:not([type=radio],[type=checkbox])),select,textarea{padding:4px 8px;border:1px solid var(--border-color-base);border-radius:var(--border-radius-base);background:var(--background-color-base);max-width:100%}
input:focus,textarea:focus,select:focus{outline:0;border-color:var(--border-color-progressive--focus);box-shadow:inset 0 0 0 1px var(--border-color-progressive--focus)}
::placeholder{color:var(--color-subtle);opacity:1}
.skip-link{position:absolute;inset-inline-start:8px;top:-60px;z-index:300;padding:8px 16px;background:var(--background-color-base);border:1px solid var(--border-color-base)}
.skip-link:focus{top:8px}
.top{display:flex;align-items:center;gap:var(--spacing-75) var(--spacing-150);max-width:90rem;margin:0 auto;padding:var(--spacing-75) var(--spacing-150)}
.site-name{flex:0 1 auto;max-width:16rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font:1.375rem/1.3 'Linux Libertine','Libertinus Serif',Georgia,'Noto Serif',serif;padding:2px 0}
.site-name,.site-name:visited{color:var(--color-emphasized)}
.search{position:relative;display:flex;flex:1 1 16rem;max-width:36rem}
.search input{flex:1;min-width:0;border-start-end-radius:0;border-end-end-radius:0}
.search button{margin-inline-start:-1px;border-start-start-radius:0;border-end-start-radius:0}
.completions{position:absolute;inset-inline:0;top:100%;z-index:60;margin:2px 0 0;padding:4px 0;list-style:none;background:var(--background-color-base);border:1px solid var(--border-color-base);box-shadow:0 4px 8px var(--box-shadow-color-alpha-base)}
.completions a{display:flex;gap:8px;align-items:center;min-height:3rem;padding:4px 12px;color:var(--color-base)}
.completions a:hover,.completions [aria-selected=true] a{background:var(--background-color-progressive-subtle);text-decoration:none}
.completions li:last-child:not(:first-child){border-top:1px solid var(--border-color-subtle)}
.completions .thumb{flex:none;width:40px;height:40px;object-fit:cover;background:var(--background-color-neutral-subtle)}
.completions span{min-width:0;overflow:hidden;text-overflow:ellipsis}
.completions b{display:block;font-weight:700}
.completions small{display:block;color:var(--color-subtle);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.user{margin-inline-start:auto;font-size:.875rem}
.menu{position:relative;margin-inline-start:auto}
.user+.menu{margin-inline-start:0}
.menu summary{display:grid;place-items:center;width:2.25rem;height:2.25rem;list-style:none;cursor:pointer;border-radius:var(--border-radius-base)}
.menu summary:hover{background:var(--background-color-interactive)}
summary::-webkit-details-marker{display:none}
.menu-icon,.menu-icon::before,.menu-icon::after{display:block;width:20px;height:2px;background:currentColor;content:''}
.menu-icon{position:relative}
.menu-icon::before,.menu-icon::after{position:absolute}
.menu-icon::before{top:-6px}
.menu-icon::after{top:6px}
.menu-body{position:absolute;inset-inline-end:0;z-index:60;min-width:13rem;padding:var(--spacing-75);background:var(--background-color-base);border:1px solid var(--border-color-base);box-shadow:0 4px 8px var(--box-shadow-color-alpha-base)}
.menu-body ul{list-style:none;margin:0;padding:0}
.menu-body nav a{display:block;padding:4px 0}
.theme-switch{margin:var(--spacing-75) 0 0;padding:var(--spacing-50) 0 0;border:0;border-top:1px solid var(--border-color-subtle)}
.theme-switch:not([hidden]){display:grid}
.theme-switch legend{float:inline-start;padding:8px 0 4px;font-size:.875rem;color:var(--color-subtle)}
.theme-switch label{padding:3px 0}
.page{max-width:90rem;margin:0 auto;padding:0 var(--spacing-150) var(--spacing-200)}
main{position:relative;min-width:0;max-width:60rem;margin:0 auto}
.heading{display:flex;align-items:baseline;gap:var(--spacing-100);border-bottom:1px solid var(--border-color-base)}
.heading h1{flex:1;margin:0;padding:var(--spacing-50) 0 2px;font-size:1.875rem}
.languages{position:relative;flex:none;font-size:.875rem}
.languages summary{cursor:pointer;list-style:none;padding:4px 8px;color:var(--color-progressive);font-weight:700;border-radius:var(--border-radius-base)}
.languages summary::after{content:'';display:inline-block;margin-inline-start:6px;border:4px solid transparent;border-top-color:currentColor;vertical-align:-2px}
.languages summary:hover{background:var(--background-color-interactive)}
.languages nav{position:absolute;inset-inline-end:0;z-index:50;width:min(34rem,90vw);max-height:60vh;overflow:auto;padding:var(--spacing-75) var(--spacing-100);background:var(--background-color-base);border:1px solid var(--border-color-base);box-shadow:0 4px 8px var(--box-shadow-color-alpha-base)}
.languages ul{columns:11rem;margin:0;padding:0;list-style:none}
.tabs{position:relative;display:flex;flex-wrap:wrap;gap:0 var(--spacing-150);border-bottom:1px solid var(--border-color-subtle);font-size:.875rem}
.tabs ul{display:flex;gap:var(--spacing-100);margin:0;padding:0;list-style:none}
.tabs a{display:block;padding:9px 0 6px;border-bottom:2px solid transparent;border-radius:0}
.tabs>ul:first-child{flex:1}
.tools{margin-inline-start:auto}
.tools summary{cursor:pointer;list-style:none;padding:9px 0 6px;color:var(--color-progressive)}
.tools summary::after{content:'';display:inline-block;margin-inline-start:6px;border:4px solid transparent;border-top-color:currentColor;vertical-align:-2px}
.tools ul{position:absolute;inset-inline-end:0;z-index:50;display:block;width:max-content;max-width:80vw;padding:4px var(--spacing-100);background:var(--background-color-base);border:1px solid var(--border-color-base);box-shadow:0 4px 8px var(--box-shadow-color-alpha-base)}
.tabs a[aria-current]{color:var(--color-base);border-bottom-color:var(--color-base)}
.notice{margin:var(--spacing-75) 0 0;padding:var(--spacing-50) var(--spacing-75);background:var(--background-color-neutral-subtle);border-inline-start:4px solid var(--border-color-base);font-size:.875rem}
.content{margin-top:var(--spacing-75)}
.content::after{content:'';display:block;clear:both}
.error{color:var(--color-error);font-weight:700}
.description{color:var(--color-subtle);font-size:.875rem}
.contents{margin:0;border:0;background:none;color:inherit;font-size:.875rem}
.contents-button{display:none}
.contents summary{display:inline-block;padding:4px 0;color:var(--color-emphasized);font-weight:700;cursor:pointer;list-style:none}
.contents summary::after{content:'';display:inline-block;margin-inline-start:8px;border:4px solid transparent;border-top-color:currentColor;vertical-align:-2px}
.contents ul{margin:0;padding:0;list-style:none}
.contents ul ul{padding-inline-start:var(--spacing-75)}
.contents a{display:block;padding:3px 0;line-height:1.35;overflow-wrap:anywhere}
.contents a.is-shown{color:var(--color-emphasized);font-weight:700}
.categories{clear:both;margin:var(--spacing-200) 0 0;padding:var(--spacing-50) var(--spacing-75);border:1px solid var(--border-color-subtle);background:var(--background-color-neutral-subtle);font-size:.875rem}
.categories h2{display:inline;margin:0;font:inherit;font-weight:700}
.categories ul{display:inline;margin:0;padding:0;list-style:none}
.categories li{display:inline-block;padding:0 8px;border-inline-start:1px solid var(--border-color-subtle);line-height:1.35}
.categories li:first-child{border:0}
.foot{max-width:90rem;margin:0 auto;padding:var(--spacing-100) var(--spacing-150) var(--spacing-200);border-top:1px solid var(--border-color-subtle);color:var(--color-subtle);font-size:.8125rem}
.foot p{margin:0 0 4px}
.foot ul{display:flex;flex-wrap:wrap;gap:4px var(--spacing-150);margin:0;padding:0;list-style:none}
.foot a,.foot a:visited{color:var(--color-progressive)}
@media (min-width:1000px){
.has-contents{display:grid;grid-template-columns:14rem minmax(0,1fr);gap:var(--spacing-250)}
.has-contents main{margin:0}
.contents{display:block;position:sticky;inset:0 auto auto;align-self:start;width:auto;height:auto;max-height:100vh;overflow-y:auto;padding:var(--spacing-100) 0}
}
@media (max-width:999.9px){
.contents-button{display:block;position:fixed;inset-block-end:var(--spacing-100);inset-inline-end:var(--spacing-100);z-index:40;min-height:2.75rem;background:var(--background-color-base);box-shadow:0 2px 8px rgba(0,0,0,.25)}
.contents-button::before{content:'\\2261';margin-inline-end:6px}
.contents{position:fixed;inset:auto 0 0;width:100%;max-width:40rem;max-height:75dvh;margin:0 auto;overflow-y:auto;padding:var(--spacing-75) var(--spacing-150) var(--spacing-150);background:var(--background-color-base);border:1px solid var(--border-color-base);border-block-end:0;border-radius:8px 8px 0 0;box-shadow:0 -4px 12px rgba(0,0,0,.25)}
.contents::backdrop{background:rgba(0,0,0,.4)}
.contents a{padding:9px 0}
}
@supports not selector(:popover-open){
.contents{position:static}
.contents-button{display:none}
}
@media (max-width:639.9px){
.top{flex-wrap:wrap;padding:var(--spacing-50) var(--spacing-100);gap:var(--spacing-50)}
.site-name{max-width:calc(100% - 3.5rem);flex:1}
.search{order:9;flex-basis:100%;max-width:none}
.page{padding-inline:var(--spacing-100)}
.foot{padding-inline:var(--spacing-100)}
.heading{flex-wrap:wrap;gap:0}
.tabs,.tabs ul{column-gap:var(--spacing-75)}
.tabs{font-size:.8125rem}
.heading h1{font-size:1.625rem;flex-basis:70%}
.languages nav{inset-inline:auto 0}
}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media print{
.top,.tabs,.contents,.contents-button,.skip-link,.languages,.user{display:none!important}
.page,.has-contents{display:block;max-width:none;padding:0}
main{max-width:none!important}
body{color:#000;background:#fff}
.content a{color:inherit}
.content a[href^=http]::after{content:' (' attr(href) ')';font-size:.8em;overflow-wrap:anywhere}
.foot{padding-inline:0}
h2,h3,h4{break-after:avoid}
figure,table,pre{break-inside:avoid}
}
`
