import type { Visitor } from '../engines/visitor.ts'
import { expect, logIn, test } from './fixtures.ts'

test('without a mouse, Tab reaches everything you can press, in order, each with a ring', async ({ open }) => {
  const visitor = await open()
  await goThrough(visitor, '/', 'JOIN THE MOVEMENT')
  await goThrough(visitor, '/membership-application', 'First name')
  await logIn(visitor, 'owner@alliance.test')
  await visitor.resize(1440, 900)
  await goThrough(visitor, '/admin', 'Today')
  await goThrough(visitor, '/admin/blog?post=new', 'Content')
})

test('Tab that goes past links, as Safari’s own, reaches every field and button', {
  // Here it tabs to links.
  tag: '@not-in-firefox',
}, async ({ open }) => {
  const visitor = await open({ skipsLinks: true })
  await goThrough(visitor, '/membership-application', 'First name', { links: false })
  await logIn(visitor, 'standard@alliance.test')
  await goThrough(visitor, '/members', 'Keep 4 videos', { links: false })
})

test('a script’s focus and scroll arrive in rows that are skipped while they’re far below', async ({ open }) => {
  const visitor = await open()
  await logIn(visitor, 'standard@alliance.test')
  for (const place of [9, -1]) {
    await goWhereRowIsFar(visitor, place)
    // As our scripts do it, not a person.
    await visitor.read((at) => [...document.querySelectorAll('.row')].at(at)?.querySelector('button')?.focus(), place)
    await visitor.readUntil((at) => {
      const { activeElement } = document
      const { top = -1, bottom = -1, left = 0 } = activeElement?.getBoundingClientRect() ?? {}
      const isInSight = top >= 0 && bottom <= innerHeight
      const hit = document.elementFromPoint(left + 20, (top + bottom) / 2)
      return isInSight && activeElement?.contains(hit) && [...document.querySelectorAll('.row')].at(at)?.contains(hit)
    }, place)
    await goWhereRowIsFar(visitor, place)
    await visitor.read((at) => [...document.querySelectorAll('.row')].at(at)?.scrollIntoView(), place)
    await visitor.readUntil((at) => {
      const { top = -1, bottom = -1 } = [...document.querySelectorAll('.row')].at(at)?.getBoundingClientRect() ?? {}
      return top >= -1 && bottom <= innerHeight + 1
    }, place)
  }
})

async function goWhereRowIsFar(visitor: Visitor, place: number) {
  await visitor.goto('/')
  await visitor.goto('/members')
  await visitor.readUntil((at) => {
    const { top = 0 } = [...document.querySelectorAll('.row')].at(at)?.getBoundingClientRect() ?? {}
    return top > innerHeight * 1.5
  }, place)
}

/** Goes from the top of a page to its end with Tab alone. */
async function goThrough(visitor: Visitor, path: string, seen: string, { links = true } = {}) {
  await visitor.goto(path)
  await visitor.sees('text', seen)
  await visitor.readUntil(isStill)
  const reached: string[] = []
  const faults: string[] = []
  let before = { name: '', place: -1, ring: '' }
  let wanted: string[] = []
  // A day has three places for Tab. Past the last stop are the browser's own.
  for (let same = 0; same < 4 && before.name !== (wanted.at(-1) ?? null); ) {
    await visitor.keys('Tab')
    const { stops, name, place, ring, ringBefore, coveredBy } = await visitor.read(lookAtFocus, before.place)
    wanted = stops.filter((stop) => links || /^(button|input|select|textarea) /.test(stop))
    same = name === before.name ? same + 1 : 0
    if (same > 0) continue
    if (before.place >= 0 && ringBefore === before.ring) faults.push(`no ring: ${before.name}`)
    if (name === '') break
    reached.push(name)
    if (coveredBy) faults.push(`out of sight: ${name}: ${coveredBy}`)
    before = { name, place, ring }
  }
  await visitor.keys('Shift+Tab')
  const last = await visitor.read(lookAtFocus, before.place)
  if (last.ringBefore === before.ring) faults.push(`no ring: ${before.name}`)
  expect(
    reached.filter((name) => wanted.includes(name)),
    path,
  ).toEqual(wanted)
  expect(faults, path).toEqual([])
}

/** Runs in the page: whether no more buttons have come for a second. */
function isStill() {
  const { length } = document.querySelectorAll('button')
  const before = Reflect.get(window, 'counted')
  if (before?.length !== length) Reflect.set(window, 'counted', { length, since: performance.now() })
  return before?.length === length && performance.now() - before.since > 1_000
}

/** Runs in the page: all that can be pressed or typed into, where the focus is, and how it and the stop before look. */
async function lookAtFocus(placeBefore: number) {
  const kinds = 'a[href], button, input, select, textarea, summary, [contenteditable=true], [tabindex]'
  const isStop = (element: HTMLElement) =>
    element.tabIndex >= 0 &&
    !element.matches(':disabled') &&
    !element.closest('[inert]') &&
    element.checkVisibility({ visibilityProperty: true }) &&
    element.getClientRects().length > 0
  // One of a group is a stop; arrows go to the others.
  const isOfGroup = (element: HTMLElement) =>
    element instanceof HTMLInputElement && element.type === 'radio' && !element.checked
  const elements = [...document.querySelectorAll<HTMLElement>(kinds)].filter(
    (element) => isStop(element) && !isOfGroup(element),
  )
  const labelOf = (element: HTMLElement) => {
    const labels = 'labels' in element && element.labels instanceof NodeList ? [...element.labels] : []
    const text = element.getAttribute('aria-label') ?? labels[0]?.textContent ?? element.textContent ?? ''
    return `${element.localName} ${text.replaceAll(/\s+/g, ' ').trim().slice(0, 40)}`
  }
  const ringOf = (element: HTMLElement | undefined) =>
    [
      element,
      element?.nextElementSibling,
      element?.closest('.field, .postform__editor'),
      element?.closest('label'),
      element?.parentElement,
    ]
      .map((one) => {
        if (!one) return ''
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
        return `${outlineStyle === 'none' ? '' : outlineWidth} ${boxShadow}`
      })
      .join()
  const seen = new Map<string, number>()
  const stops = elements.map((element) => {
    const label = labelOf(element)
    seen.set(label, (seen.get(label) ?? 0) + 1)
    return `${label} ${seen.get(label)}`
  })
  const ringBefore = ringOf(elements[placeBefore])
  const focus = document.activeElement
  if (!(focus instanceof HTMLElement) || focus === document.body)
    return { stops, name: '', place: -1, ring: '', ringBefore, coveredBy: '' }
  /** Nothing, if it's in sight. */
  const findCover = () => {
    const { top, bottom, left, right } = focus.getBoundingClientRect()
    const hit = document.elementFromPoint((left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2)
    if (bottom <= 0 || top >= innerHeight || !hit) return `at ${Math.round(top)}`
    return focus.contains(hit) || hit.contains(focus) ? '' : `under ${hit.outerHTML.slice(0, 60)}`
  }
  // What slides in takes some frames.
  for (let frame = 0; frame < 60 && findCover(); frame++) await new Promise(requestAnimationFrame)
  const place = elements.indexOf(focus)
  const name = stops[place] ?? `other ${labelOf(focus)}`
  return { stops, name, place, ring: ringOf(focus), ringBefore, coveredBy: findCover() }
}
