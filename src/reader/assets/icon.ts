/** The icon of the pages: a sheet with writing over older writing. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect x="4" y="2" width="24" height="28" rx="3" fill="#36c"/>
<path d="M9 9h14M9 14h14M9 19h9" stroke="#fff" stroke-width="2.5" stroke-linecap="round" opacity=".45"/>
<path d="M9 11.5h10M9 16.5h14M9 24h11" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/>
</svg>
`

/** The icon as browsers ask for it without a link: an ICO file with a PNG of 32 pixels, in base64. */
export const FAVICON = [
  'AAABAAEAICAAAAEAIABNAQAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAgDAAAARKSKxgAAAFFQTFRFTGlxM2bMMmXMM2bM',
  'M2bMMmbMM2XLMmXMKlXUM2bLj6vj////z9vzTHnSaY/aPW7PjKniSnfSNmjNrsLrydbxXIXW+Pr9tMfsT3vTqb/qy9jyheHTBQAA',
  'AAp0Uk5TAIfn/+aJ5IgG5SZdFPwAAAAJcEhZcwAACxMAAAsTAQCanBgAAACMSURBVDjLrZPtDoMgDEV11QHqrIBf2/s/6DYTAbVA',
  'UM9fTtpLmptlt8DLAg4Ixo3AgIQZoaCFhxHAQ5qArw24F7CrNnSYKijdGKaZWDHUDgMRMjrh3pB/tAqFXIN6Jnz6H2/lz7CsB0gV',
  'nGPhyXPL1iIJQY7OF0d5QoiuCIcU9PszVpzcVo+JcPUu8QV99BMnW/+8JgAAAABJRU5ErkJggg==',
].join('')
