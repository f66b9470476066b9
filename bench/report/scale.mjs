/** Axes: converts values to places, and chooses marks. */

const STEPS = [1, 2, 5, 10]
const MARKS = 5

/** A linear axis from 0 to a round number at or above `largest`. */
export function linearScale(largest, start, end) {
  const step = roundStep((largest || 1) / MARKS)
  const top = Math.ceil((largest || 1) / step) * step
  const marks = Array.from({ length: Math.round(top / step) + 1 }, (_, n) => n * step)
  return { at: (value) => start + (value / top) * (end - start), marks }
}

/** A logarithmic axis over values above 0, with a mark at 1, 2 and 5 of every power of ten, or at powers alone. */
export function logScale(smallest, largest, start, end) {
  const low = Math.log10(smallest)
  const high = Math.log10(largest > smallest ? largest : smallest * 10)
  const steps = high - low > 2 ? [1] : [1, 2, 5]
  const marks = []
  for (let power = Math.floor(low); power <= high; power++) {
    for (const step of steps) {
      const value = step * 10 ** power
      const place = Math.log10(value)
      if (place >= low - 1e-9 && place <= high + 1e-9) marks.push(value)
    }
  }
  return { at: (value) => start + ((Math.log10(value) - low) / (high - low)) * (end - start), marks }
}

function roundStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough))
  return STEPS.find((step) => step * power >= rough) * power
}

export function number(value) {
  const size = Math.abs(value)
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3
  return value.toLocaleString('en', { maximumFractionDigits: digits })
}

export function escape(text) {
  return String(text).replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)
}
