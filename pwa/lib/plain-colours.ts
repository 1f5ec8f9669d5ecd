// light-dark() is newer than the oldest browsers we promise: Chrome 123, Firefox 120, Safari 17.5. All our colours are custom
// properties, whose text such a browser keeps. So they're declared again without it, wherever the colour scheme changes.

type Declared = { selector: string; wrap: (css: string) => string; name: string; value: string }
type Scheme = { selector: string; wrap: (css: string) => string; scheme: string; own: CSSStyleDeclaration }

/** `light-dark(a, b)` to a and b; null for any other value. A colour may have commas of its own. */
function sidesOf(value: string): { light: string; dark: string } | null {
  const inner = /^light-dark\((.*)\)$/s.exec(value.trim())?.[1]
  if (inner === undefined) return null
  let depth = 0
  for (const [at, letter] of [...inner].entries()) {
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    if (letter === ',' && depth === 0) return { light: inner.slice(0, at).trim(), dark: inner.slice(at + 1).trim() }
  }
  return null
}

function placeOf(declaredAt: string, changedAt: string): string {
  if (declaredAt === ':root') return changedAt
  return changedAt === ':root' ? declaredAt : `:is(${changedAt}) :is(${declaredAt})`
}

/** What the page's style sheets say of colours, written for a browser without light-dark(). */
function plainColours(): string {
  const declared: Declared[] = []
  const schemes: Scheme[] = []
  const note = ({ style, selectorText: selector }: CSSStyleRule, wrap: Declared['wrap']) => {
    const scheme = style.getPropertyValue('color-scheme')
    if (scheme !== '') schemes.push({ selector, wrap, scheme, own: style })
    for (const name of style) {
      const value = name.startsWith('--') ? style.getPropertyValue(name) : ''
      // What's made of colours at the root is made there, and so again where they change.
      if (sidesOf(value) || (selector === ':root' && value.includes('var(--')))
        declared.push({ selector, wrap, name, value })
    }
  }
  const walk = (rules: CSSRuleList, wrap: Declared['wrap']) => {
    for (const rule of rules) {
      if (rule instanceof CSSStyleRule) note(rule, wrap)
      else if (rule instanceof CSSMediaRule)
        walk(rule.cssRules, (css) => wrap(`@media ${rule.media.mediaText}{${css}}`))
      else if (rule instanceof CSSLayerBlockRule) walk(rule.cssRules, wrap)
    }
  }
  for (const { cssRules } of document.styleSheets) walk(cssRules, (css) => css)
  const inScheme = ({ selector: changedAt, own }: Scheme, side: 'light' | 'dark') =>
    declared
      .filter(({ selector, name }) => selector === changedAt || own.getPropertyValue(name) === '')
      .map(({ selector, wrap, name, value }) =>
        wrap(`${placeOf(selector, changedAt)}{${name}:${sidesOf(value)?.[side] ?? value}}`),
      )
      .join('')
  return schemes
    .map((one) => {
      const { wrap, scheme } = one
      const [isLight, isDark] = [/light/.test(scheme), /dark/.test(scheme)]
      const usual = inScheme(one, isLight ? 'light' : 'dark')
      return wrap(isLight && isDark ? `${usual}@media (prefers-color-scheme:dark){${inScheme(one, 'dark')}}` : usual)
    })
    .join('')
}

/** Also for the style sheets of pages that are opened later. */
export function addPlainColours(): void {
  const sheet = new CSSStyleSheet()
  const renew = () => sheet.replaceSync(plainColours())
  renew()
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  document.addEventListener('load', ({ target }) => target instanceof HTMLLinkElement && renew(), { capture: true })
}
