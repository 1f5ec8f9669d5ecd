/**
 * A query by role asks each element of a page whether it shows and what it is, again after every change. The window answers by its
 * whole cascade and by parsed selectors: most of the time of a page test. Here what follows from an element's kind and
 * attributes alone is answered from these; the window answers all else, and everything where a stylesheet could say otherwise.
 */
export function answerQueriesQuickly(view: Window & typeof globalThis): void {
  answerStylesQuickly(view)
  matchNamesFirst(view)
}

function answerStylesQuickly(view: Window & typeof globalThis): void {
  const whole = view.getComputedStyle.bind(view)
  const displays = new Map<string, string>()
  const displayOf = (element: Element): string | null => {
    const kind = kindOf(element)
    if (kind === null) return null
    const known = displays.get(kind) ?? whole(element).display
    displays.set(kind, known)
    return known
  }
  const quick = (element: Element, name: unknown): string | null => {
    if (name !== 'display' && name !== 'visibility') return null
    if (!element.isConnected || view.document.styleSheets.length > 0) return null
    if (name === 'display') return displayOf(element)
    return mayHideByStyle(element) ? null : 'visible'
  }
  const anyStyle = whole(view.document.documentElement)
  view.getComputedStyle = (element, pseudo) => {
    if (pseudo) return whole(element, pseudo)
    const read = (name: string | symbol): unknown => {
      if (name === 'getPropertyValue')
        return (property: string) => quick(element, property) ?? whole(element).getPropertyValue(property)
      const style = whole(element)
      const value: unknown = Reflect.get(style, name)
      return typeof value === 'function' ? value.bind(style) : value
    }
    return new Proxy(anyStyle, { get: (_, name) => quick(element, name) ?? read(name) })
  }
}

/** How these are set depends on more than their name: on whether they are open, or where they stand. */
const unlike = new Set(['dialog', 'summary'])

/** What all elements with the same display have in common; null where one has to be looked at alone. */
function kindOf(element: Element): string | null {
  const { localName, parentElement } = element
  if (unlike.has(localName) || ['style', 'hidden', 'popover'].some((name) => element.hasAttribute(name))) return null
  // The parts of a flexible box are blocks.
  if (parentElement === null || parentElement.hasAttribute('style')) return null
  const type = localName === 'input' ? element.getAttribute('type') : ''
  return `${element.namespaceURI} ${localName} ${type}`
}

/** A part of a table that is hidden is collapsed, and what is in it too. */
function mayHideByStyle(element: Element): boolean {
  for (let at: Element | null = element; at !== null; at = at.parentElement)
    if (at.hasAttribute('hidden') || /visibility|all/.test(at.getAttribute('style') ?? '')) return true
  return false
}

/** What a selector says of the names of those that match it: one of these is enough, or it is needed beside more. */
type Names = { names: readonly string[]; isAll: boolean }

/** An element of another name than a selector asks for never matches it. */
function matchNamesFirst({ Element }: typeof globalThis): void {
  const usual = Element.prototype.matches
  const known = new Map<string, Names | null>()
  function matches(this: Element, selector: string): boolean {
    const asked = known.get(selector)
    if (asked) {
      const isNamed = asked.names.includes(this.localName)
      if (!isNamed || asked.isAll) return isNamed
    }
    // Throws where it is no selector, so that only one that is goes on to be known.
    const isMatch = usual.call(this, selector)
    if (asked === undefined) known.set(selector, namesIn(selector))
    return isMatch
  }
  Object.assign(Element.prototype, { matches })
}

function namesIn(selector: string): Names | null {
  if (/^[a-z][a-z0-9]*(, *[a-z][a-z0-9]*)*$/.test(selector)) return { names: selector.split(/, */), isAll: true }
  const [, name] = /^([a-z][a-z0-9]*)[[:][^\s,>+~|]*$/.exec(selector) ?? []
  return name === undefined ? null : { names: [name], isAll: false }
}
