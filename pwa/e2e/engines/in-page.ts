declare global {
  /** The last press hit something else than it was meant for. */
  var hasMissed: boolean
  /** Ends the check of the press before. */
  var lastPress: AbortController | undefined
}

/** What a person would call a thing on the page. `status` is a line that's read out as it changes. */
export type Kind = 'button' | 'link' | 'field' | 'heading' | 'tab' | 'status' | 'alert' | 'listitem' | 'dialog' | 'text'

/**
 * A name is the whole one, or how it begins if nothing is called so; capitals don't matter. `near` is the name of a heading, a cell
 * or a legend: only what's in the same row, list item, form or section is found.
 */
export type Sought = { kind: Kind; name?: string | RegExp; near?: string }

/** As it goes into a page. */
export const spell = ({ kind, name, near }: Sought) =>
  JSON.stringify({ kind, near, ...(name instanceof RegExp ? { pattern: name.source, flags: name.flags } : { name }) })

type Spelled = { kind: Kind; name?: string; pattern?: string; flags?: string; near?: string }

/** Runs in the page, alone: every element that can be seen and is called so, outermost last. */
export function findAll({ kind, name, pattern, flags, near }: Spelled): Element[] {
  const selectors = {
    button: 'button, [role=button], summary, input[type=submit]',
    link: 'a[href]',
    field: 'input, textarea, select, [contenteditable=true]',
    heading: 'h1, h2, h3, h4, h5, h6',
    tab: '[role=tab]',
    status: '[role=status]',
    alert: '[role=alert]',
    listitem: 'li',
    dialog: 'dialog[open], [role=dialog]',
    text: '*',
  }
  const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  const isSeen = (element: Element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true })
  }
  const hasPlace = (element: Element) =>
    isSeen(element) || element.matches('[type=radio], [type=checkbox], [type=file]')
  /** What's read out: without what's hidden, with what pictures and buttons are called. */
  const spoken = (node: Node): string => {
    if (node instanceof Text) return node.data
    if (node instanceof HTMLBRElement) return ' '
    if (!(node instanceof Element) || node.matches('[aria-hidden=true], script, style, template')) return ''
    if (node instanceof HTMLElement && !node.checkVisibility({ visibilityProperty: true })) return ''
    const label = node.getAttribute('aria-label') ?? node.getAttribute('alt')
    if (label !== null) return label
    const isBlock = !getComputedStyle(node).display.startsWith('inline')
    const inner = [...node.childNodes].map(spoken).join('')
    return isBlock ? ` ${inner} ` : inner
  }
  const nameOf = (element: Element): string => {
    const by = element.getAttribute('aria-labelledby')?.split(' ') ?? []
    const label = element.getAttribute('aria-label')
    if (by.length > 0) return plain(by.map((id) => document.getElementById(id)?.textContent ?? '').join(' '))
    if (label) return plain(label)
    const labels = 'labels' in element && element.labels instanceof NodeList ? [...element.labels] : []
    if (labels.length > 0) return plain(labels.map(spoken).join(' '))
    if (element instanceof HTMLInputElement) return plain(element.value || element.placeholder)
    return plain(spoken(element))
  }
  const wanted = pattern === undefined ? undefined : new RegExp(pattern, flags)
  const choose = (elements: Element[]) => {
    if (wanted) return elements.filter((element) => wanted.test(nameOf(element)))
    if (name === undefined) return elements
    const named = elements.map((element) => ({ element, own: nameOf(element).toLowerCase() }))
    const asked = plain(name).toLowerCase()
    const whole = named.filter(({ own }) => own === asked)
    return (whole.length > 0 ? whole : named.filter(({ own }) => own.startsWith(asked))).map(({ element }) => element)
  }
  const surroundings = (): ParentNode[] => {
    const open = [...document.querySelectorAll('dialog:modal')].at(-1)
    const whole: ParentNode = open ?? document
    if (near === undefined) return [whole]
    const marks = [...whole.querySelectorAll('h1, h2, h3, h4, h5, h6, legend, th, td, dt, summary, label')]
    const called = marks.filter((mark) => isSeen(mark) && nameOf(mark) === plain(near))
    return called.flatMap((mark) => mark.closest('li, tr, fieldset, form, article, section, details, dialog') ?? [])
  }
  const isSought = (place: ParentNode): place is Element => place instanceof Element && place.matches(selectors[kind])
  const found = surroundings().flatMap((place) => [
    ...(isSought(place) ? [place] : []),
    ...place.querySelectorAll(selectors[kind]),
  ])
  const all = choose(found.filter(hasPlace))
  // Text is found where it is, not in all that is around it.
  return kind === 'text'
    ? all.filter((element) => !all.some((other) => other !== element && element.contains(other)))
    : all
}

/** Runs in the page: where the element can be pressed, once it stands still and nothing lies over it. */
export async function pressPoint(element: Element | undefined): Promise<{ x: number; y: number } | null> {
  if (!element || element.matches(':disabled, [aria-disabled=true]')) return null
  // A page that isn't shown paints no frames.
  const frame = () =>
    Promise.race([
      new Promise((resolve) => requestAnimationFrame(resolve)),
      new Promise((resolve) => setTimeout(resolve, 200)),
    ])
  const { top } = element.getBoundingClientRect()
  // What's skipped, far below, isn't laid out yet: its frame is scrolled to first.
  for (let around = element.parentElement; around; around = around.parentElement)
    if (getComputedStyle(around).contentVisibility === 'auto')
      around.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  await frame()
  const labels =
    element instanceof HTMLInputElement && element.matches('[type=radio], [type=checkbox]') ? element.labels : []
  const pointOf = async (target: Element) => {
    target.scrollIntoView({ block: 'center', behavior: 'instant' })
    // A person scrolls there first, or it's the second half of a double press at the same spot.
    if (element.getBoundingClientRect().top !== top) target.dispatchEvent(new WheelEvent('wheel', { bubbles: true }))
    await frame()
    const before = target.getClientRects()[0]
    await frame()
    const box = target.getClientRects()[0]
    if (!box || !before || box.x !== before.x || box.y !== before.y || box.width === 0) return null
    const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    // What lies around it isn't it: that a style sheet has only just moved it away is what makes a press land there.
    const hits = (hit: EventTarget | null) =>
      hit instanceof Element && (target.contains(hit) || Boolean(hit.closest('label')?.contains(element)))
    if (!hits(document.elementFromPoint(point.x, point.y))) return null
    // The page may move before the press comes, or while it's down. What lies there then isn't meant.
    const check = (event: Event) => {
      if (hits(event.target)) {
        // Until the app is there, the page's own script keeps the click and makes it again.
        globalThis.hasMissed = event.type !== 'click' && globalThis.stopCapturingClicks === undefined
        return
      }
      event.stopImmediatePropagation()
      event.preventDefault()
    }
    globalThis.hasMissed = true
    globalThis.lastPress?.abort()
    globalThis.lastPress = new AbortController()
    const { signal } = globalThis.lastPress
    for (const type of ['pointerdown', 'click']) addEventListener(type, check, { capture: true, once: true, signal })
    return point
  }
  for (const target of [element, ...(labels ?? [])]) {
    const point = await pointOf(target)
    if (point) return point
  }
  return null
}

/** Runs in the page: the field has the focus, with all it holds selected. `false` if it's no such field. */
export function selectField(element: Element | undefined): boolean {
  if (!(element instanceof HTMLElement)) return false
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  element.focus()
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) element.select()
  else document.getSelection()?.selectAllChildren(element)
  return document.activeElement === element
}

/** Runs in the page: days, times and choices are set as a whole, as a browser's own picker does. `false` if it's typed. */
export function pickValue(element: Element | undefined, value: string): boolean {
  const isPicked =
    element instanceof HTMLInputElement && ['date', 'time', 'month', 'color', 'range'].includes(element.type)
  const options = element instanceof HTMLSelectElement ? [...element.options] : []
  const option = options.find(({ text, value: own }) => text.trim() === value || own === value)
  if (!element || (!isPicked && !option)) return false
  const kind = element instanceof HTMLSelectElement ? HTMLSelectElement.prototype : HTMLInputElement.prototype
  // Past React's own setter, as a browser's pick.
  Object.getOwnPropertyDescriptor(kind, 'value')?.set?.call(element, option?.value ?? value)
  for (const event of ['input', 'change']) element.dispatchEvent(new Event(event, { bubbles: true }))
  return true
}

/** Runs in the page: what's copied next is this, as another program puts it on the clipboard. */
export function copyHtml(html: string): void {
  const copy = (event: ClipboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
    event.clipboardData?.setData('text/html', html)
  }
  document.addEventListener('copy', copy, { capture: true, once: true })
}

/** Runs in the page: its calendar is so many days on. */
export function shiftDate(days: number): void {
  const usual = Date
  const now = () => usual.now() + days * 86_400_000
  const make = (target: DateConstructor, given: unknown[], made: new () => Date) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, made)
  const get = (target: DateConstructor, key: PropertyKey) => (key === 'now' ? now : Reflect.get(target, key))
  globalThis.Date = new Proxy(usual, { construct: make, get })
}

/** Runs in the page: what a reader would need to see why a case failed. */
export function outlinePage() {
  const texts = (selector: string) =>
    [...document.querySelectorAll(selector)]
      .filter((one) => one.checkVisibility())
      .map((one) => one.textContent?.trim())
  return {
    address: location.href,
    online: navigator.onLine,
    worker: navigator.serviceWorker?.controller?.state,
    headings: texts('h1, h2, h3'),
    buttons: texts('button, [role=button]'),
    links: texts('a[href]'),
    said: texts('[role=status], [role=alert]'),
    text: document.querySelector('main')?.textContent,
  }
}
