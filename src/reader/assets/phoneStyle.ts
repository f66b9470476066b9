/**
 * Styles of wiki content on phones. They hold from the first paint on, before scripts run, so that nothing moves. The
 * class `client-js` of the document says that a script will come. Sections fold under it.
 */

/** The width of a phone, in pixels; scripts ask for the same. */
export const PHONE_WIDTH = '639.9px'

const LEAD = ".mw-parser-output>section[data-mw-section-id='0']"
const BOX = '[class*=infobox]'
/** Paragraphs after the box of facts that have a text, other than coordinates alone. */
const PARAGRAPH = `${BOX}~p:not(.mw-empty-elt,:has(>[id=coordinates]:only-child,>:only-child [id=coordinates]))`
/** Headings of sections that fold. */
const FOLDS = '.client-js .has-contents .mw-parser-output>section>:is(h2,.mw-heading2):first-child'

/**
 * The box of facts comes after the first paragraph, as on Wikipedia's pages for phones. Notes above the text stay
 * there. While the page loads, the box waits for the paragraph.
 */
const BOX_STYLE = `
${LEAD}:has(>${BOX}~p){display:flex;flex-direction:column}
${LEAD}:has(>${BOX}~p)>:is(p,figure){margin-top:0}
${LEAD}>${BOX},${LEAD}>${BOX}~*{order:1}
${LEAD}>${BOX}~:is(.hatnote,.dablink,[role=note]),${LEAD}>:nth-child(1 of ${PARAGRAPH}){order:0}
body:not(:has(>.foot)) ${LEAD}>${BOX}:not(:has(~p)){display:none}
`

const FOLD_STYLE = `
${FOLDS}{position:relative;margin:0;border-bottom:1px solid var(--border-color-subtle);padding:10px 0;padding-inline-start:1.25em}
${FOLDS}>h2{margin:0;padding:0;border:0}
${FOLDS}::before{content:'';position:absolute;top:calc(10px + .4em);inset-inline-start:4px;width:8px;height:8px;border:solid var(--color-subtle);border-width:0 2px 2px 0;transform:rotate(45deg)}
.is-open>:is(h2,.mw-heading2)::before{translate:0 4px;transform:rotate(225deg)!important}
section:not(.is-open)>:is(h2,.mw-heading2):is(${FOLDS})~:not(.section-body){display:none}
.content .fold{display:block;width:100%;cursor:pointer}
.content .fold:focus-visible{outline:2px solid var(--border-color-progressive--focus)}
.client-js .content[data-edit] section>:is(h1,h2,h3,h4,h5,h6,.mw-heading):first-child{position:relative;padding-inline-end:4.5rem}
.mw-editsection{position:absolute;inset-block-end:0;inset-inline-end:0;max-width:4.5rem;padding:12px 0 12px 8px;overflow:hidden;text-overflow:ellipsis}
.content .fold:empty{position:absolute;inset-block:0;inset-inline-start:0;width:1.25em}
`

export const PHONE_STYLE = `
@media (max-width:${PHONE_WIDTH}){
.infobox,.content table[class*=infobox],.sidebar,.side-box,.vertical-navbox,.mbox-small{float:none;width:100%;margin:0 0 1em}
figure[typeof*='/Thumb'],figure[typeof$='/Frame'],figure.mw-halign-left,figure.mw-halign-right{float:none;margin:.8em auto}
.mw-parser-output :is(table[align],:is(table,div,figure):is([style*=float],.floatright,.floatleft)):not(table *){float:none!important;margin-inline:0!important}
.mw-parser-output table:not(table table,.table-frame>*){display:block;overflow-x:auto}
.wikitable:not(table table,.table-frame>*,[width],[style*=width]){width:fit-content}
.mw-parser-output .infobox{width:100%!important;margin:0 0 1em!important}
.infobox:not(table table)>tbody{display:table;width:100%}
th>.mw-collapsible-toggle{float:none}
.mw-parser-output [style*=width]{max-width:100%}
.mw-parser-output :is(p,dd,li,dt,div,center):has(>.mwe-math-element){overflow:auto hidden}
.content dd{margin-inline-start:1em}
.content :is(ul,ol){padding-inline-start:1.25em}
.content :is(li,dd) :is(li,dd) :is(li,dd) :is(li,dd) :is(ul,ol){padding-inline-start:.5em}
.content :is(li,dd) :is(li,dd) :is(li,dd) :is(li,dd) dd{margin-inline-start:.5em}
.navbox{display:none}
#coordinates{display:block;position:static!important;text-align:end}
${BOX_STYLE}}
@media screen and (max-width:${PHONE_WIDTH}){${FOLD_STYLE}}
@media print{.section-body[hidden]{display:block;content-visibility:visible!important}}
`
