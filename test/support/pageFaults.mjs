/**
 * Faults of a page as a reader sees it. Tests evaluate this file in a browser. It gives them one object, `pageFaults`, before the page is there.
 */
globalThis.pageFaults = (() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const known = new Map()

  /** Red, green, blue and alpha from 0 to 1 of any CSS colour. */
  function rgbaOf(color) {
    if (!known.has(color)) {
      canvas.clearRect(0, 0, 1, 1)
      canvas.fillStyle = color
      canvas.fillRect(0, 0, 1, 1)
      known.set(
        color,
        [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255),
      )
    }
    return known.get(color)
  }

  /** A colour over an opaque one. */
  const over = ([red, green, blue, alpha], below) => [
    ...[red, green, blue].map((part, at) => part * alpha + below[at] * (1 - alpha)),
    1,
  ]

  function luminance(color) {
    const [red, green, blue] = color.map((part) =>
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  function contrastOf(one, other) {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }

  /** An element and those around it, innermost first. */
  function* around(element) {
    for (let at = element; at !== null; at = at.parentElement) yield at
  }

  /** Undefined where it is a picture. The background of a table is not behind its caption. */
  function backgroundOf(element) {
    const layers = []
    let inner
    for (const at of around(element)) {
      if (getComputedStyle(at).backgroundImage !== 'none') return undefined
      const isBehind = inner?.localName !== 'caption' || getComputedStyle(at).display !== 'table'
      const layer = isBehind ? rgbaOf(getComputedStyle(at).backgroundColor) : [0, 0, 0, 0]
      if (layer[3] > 0) layers.push(layer)
      if (layer[3] === 1) break
      inner = at
    }
    return layers.reduceRight((below, layer) => over(layer, below), [1, 1, 1, 1])
  }

  /** Whether the page itself, not the style sheet, says a colour of a text or of its background. */
  function hasOwnColor(element) {
    const content = [...around(element)].filter((at) => at.closest('.mw-parser-output') !== null)
    return content.some(
      (at) =>
        at.style.color + at.style.backgroundColor !== '' ||
        at.hasAttribute('color') ||
        at.hasAttribute('bgcolor'),
    )
  }

  /** Texts that are shown, with the boxes of their lines. */
  function* texts() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement
      if (node.data.trim() === '' || !element.checkVisibility({ visibilityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
      if (boxes.length > 0) yield { element, words: node.data.trim().slice(0, 40), boxes }
    }
  }

  /** Texts with a contrast below `least`. */
  function lowContrasts(least) {
    const found = []
    for (const { element, words } of texts()) {
      const background = backgroundOf(element)
      if (background === undefined) continue
      const contrast = contrastOf(
        over(rgbaOf(getComputedStyle(element).webkitTextFillColor), background),
        background,
      )
      if (contrast < least)
        found.push({ words: `${words} (${element.localName})`, contrast, hasOwnColor: hasOwnColor(element) })
    }
    return found
  }

  /** Texts of which a float leaves less than `least` pixels. */
  function narrowTexts(least) {
    const isFloat = (element) => getComputedStyle(element).float !== 'none'
    const floats = [...document.querySelectorAll('.content *')].filter(isFloat).map((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect()
      return { element, root: rootOf(element.parentElement), left, right, top, bottom }
    })
    const faults = []
    for (const { element, words, boxes } of texts()) {
      const block = [...around(element)].find(
        (at) => !/^inline$|^contents$/.test(getComputedStyle(at).display),
      )
      const root = rootOf(block)
      const beside = floats.filter((float) => float.root === root && !float.element.contains(element))
      const { left, right } = block.getBoundingClientRect()
      for (const box of boxes) {
        let [start, end] = [left, right]
        for (const float of beside) {
          if (float.bottom <= box.top + 1 || float.top >= box.bottom - 1) continue
          if (float.right <= box.left + 1) start = Math.max(start, float.right)
          else if (float.left >= box.right - 1) end = Math.min(end, float.left)
        }
        if (right - left >= least && end - start < least && end - start < right - left)
          faults.push(`${Math.round(end - start)} px: ${words}`)
      }
    }
    return faults
  }

  /** The element whose floats stay inside of it. */
  function rootOf(element) {
    for (const at of around(element)) {
      const { display, float, position, overflowX } = getComputedStyle(at)
      const isRoot = /flow-root|inline-block|table-cell|table-caption|flex|grid/.test(display)
      if (isRoot || float !== 'none' || /absolute|fixed/.test(position) || overflowX !== 'visible') return at
    }
    return document.body
  }

  /** What is wider than the window: the innermost elements past its edge. */
  function wideElements() {
    const { scrollWidth, clientWidth } = document.scrollingElement
    if (scrollWidth <= clientWidth) return []
    const past = [...document.querySelectorAll('body *')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      const isPast = width > 0 && (right > clientWidth + 1 || left < -1)
      return isPast && ![...around(element)].some((at) => /auto|hidden/.test(getComputedStyle(at).overflowX))
    })
    return [`${scrollWidth} px`, ...past.slice(0, 4).map((element) => element.outerHTML.slice(0, 160))]
  }

  let shift = 0
  const moved = []
  const note = (entries) => {
    for (const { value, hadRecentInput, sources } of entries) {
      if (hadRecentInput) continue
      shift += value
      for (const { node, previousRect, currentRect } of sources)
        moved.push(
          `${(node?.outerHTML ?? String(node?.data)).slice(0, 60)}: ${previousRect.y} to ${currentRect.y}`,
        )
    }
  }
  const observer = new PerformanceObserver((list) => note(list.getEntries()))
  observer.observe({ type: 'layout-shift', buffered: true })

  /** What moved while the page was loading, if it shifted by more than `most` in all. No input of the reader counts. */
  async function shifts(most) {
    for (let frame = 0; frame < 3; frame++) await new Promise((done) => requestAnimationFrame(done))
    note(observer.takeRecords())
    return shift > most ? [String(shift), ...moved] : []
  }

  return { lowContrasts, narrowTexts, wideElements, shifts }
})()
