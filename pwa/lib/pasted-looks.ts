// What a pasted element's style says. Styles are in `data-css`: the page's policy refuses them in `style`.

export const cssOf = (element: Element) => element.getAttribute('data-css') ?? ''
export const hasCss = (element: Element, css: RegExp) => css.test(cssOf(element))

/** Programs name black, white and greys everywhere. */
export function isColoured(element: Element): boolean {
  const named = [...cssOf(element).matchAll(/(?:^|[;\s])(?:color|background(?:-color)?)\s*:\s*([^;]+)/gi)].map(
    ([, value = '']) => value,
  )
  if (element.localName === 'mark') return true
  return [...named, element.getAttribute('color') ?? ''].some(hasHue)
}

const hues =
  /red|blue|green|yellow|orange|purple|violet|pink|magenta|fuchsia|cyan|aqua|teal|navy|maroon|lime|brown|gold/i
/** Less apart than this, red, green and blue are a grey. */
const leastHue = 60

function hasHue(value: string): boolean {
  const [, hex = ''] = /#([\da-f]{6}|[\da-f]{3})\b/i.exec(value) ?? []
  const [, list = ''] = /^\s*rgba?\(([^)]*)\)/i.exec(value) ?? []
  const width = hex.length / 3
  const channels = hex
    ? [0, 1, 2].map((at) => Number.parseInt(hex.slice(at * width, (at + 1) * width).padEnd(2, hex[at]), 16))
    : list.split(/[\s,/]+/).map(Number)
  if (channels.length < 3) return hues.test(value)
  const [red = 0, green = 0, blue = 0, alpha = 1] = channels
  return alpha > 0 && Math.max(red, green, blue) - Math.min(red, green, blue) >= leastHue
}
