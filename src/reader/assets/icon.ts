/** The icon of the pages: a sheet with writing over older writing. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect x="4" y="2" width="24" height="28" rx="3" fill="#36c"/>
<path d="M9 9h14M9 14h14M9 19h9" stroke="#fff" stroke-width="2.5" stroke-linecap="round" opacity=".45"/>
<path d="M9 11.5h10M9 16.5h14M9 24h11" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/>
</svg>
`
