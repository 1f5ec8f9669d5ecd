import type { EngineName } from '../engines/engine.ts'
import type { Visitor } from '../engines/visitor.ts'

/** How large a heading, field, button or row is, where, and on how many lines its words are. */
type Size = { what: string; left: number; top: number; width: number; height: number; lines: number }

export type Measured = { sizes: Size[]; scrollWidth: number; innerWidth: number }

/** One thing in two browsers. What only one has is missing in the other. */
export type Pair = { what: string; here?: Size | undefined; there?: Size | undefined; by: number }

/** What differs for a reason that isn't ours: `on` is how the page's path begins. */
type Known = { browsers: readonly EngineName[]; on?: string; what: RegExp; why: string }

const knownSizes: readonly Known[] = [
  {
    browsers: ['webkit', 'firefox'],
    on: '/podcast',
    what: /^row “/,
    why: 'an episode’s player is the browser’s own, and as high as it likes',
  },
  {
    browsers: ['webkit'],
    what: /^(button “(Use|Add) a passkey”|field “Name this device”)/,
    why: 'Debian’s WebKit has no passkeys, so they aren’t offered',
  },
  {
    browsers: ['webkit'],
    on: '/members/notices',
    what: /^(button “Get notices on this phone”|heading “This phone”)/,
    why: 'Debian’s WebKit has no push, so there’s nothing to switch on',
  },
  {
    browsers: ['webkit'],
    on: '/admin',
    what: /^button “FindCtrl K”/,
    why: 'Chromium without a screen says it has no mouse, so the keys aren’t named',
  },
  {
    browsers: ['webkit', 'firefox'],
    what: /^(row “|button “Log out:? )(Safari|Firefox|Chrome) on Linux/,
    why: 'each browser is told its own login from the others',
  },
  {
    browsers: ['firefox'],
    on: '/admin/invoices',
    what: /^field “(Period|Show|Number or amount|Person)/,
    why: 'a choice is as wide as its longest, which Firefox measures in another way, and fields share what’s left of the line',
  },
]

/** Looks only once nothing is loading, and no letters and pictures are still to come. */
export const settle = (visitor: Visitor) =>
  visitor.readUntil(() => {
    const loading = document.querySelector('.skeleton, main [aria-busy=true], [aria-label="Loading the admin"]')
    const pictures = [...document.images].filter((one) => one.loading !== 'lazy' && one.checkVisibility())
    return (
      document.readyState === 'complete' &&
      document.querySelector('h1') !== null &&
      loading === null &&
      document.fonts.status === 'loaded' &&
      pictures.every((one) => one.complete)
    )
  })

const measure = async (visitor: Visitor): Promise<Measured> => await visitor.read(measureSizes)

/** What's more than `most` px larger or smaller, has other lines, or is only in one, worst first. */
export function comparePages(here: Measured, there: Measured, most: number): Pair[] {
  const theirs = new Map(there.sizes.map((size) => [size.what, size]))
  const pairs = here.sizes.map((size): Pair => {
    const other = theirs.get(size.what)
    theirs.delete(size.what)
    return { what: size.what, here: size, there: other, by: other ? differenceOf(size, other) : size.height }
  })
  const rest = [...theirs.values()].map((size): Pair => ({ what: size.what, there: size, by: size.height }))
  return [...pairs, ...rest]
    .filter(({ here: one, there: other, by }) => by > most || one?.lines !== other?.lines)
    .sort((one, other) => other.by - one.by)
}

/** As long as pages may still be changing. It only ends what stays different. */
const patience = 20_000

/** What differs between the two by more than 8 px, or in lines. Looks again as long as one of them may still be changing. */
export async function compareAtRest(phone: Visitor, other: Visitor, { path, width }: { path: string; width: number }) {
  // The pointer is still where it pressed last, and what's under it may be larger for that.
  await Promise.all([phone, other].map((visitor) => visitor.point({ x: 0, y: 0 })))
  return await lookAtRest(async () => {
    await Promise.all([settle(phone), settle(other)])
    const [here, there] = await Promise.all([measure(phone), measure(other)])
    const differs = comparePages(here, there, 8).filter((pair) => !isKnown(phone.name, path, pair))
    return {
      here,
      there,
      differs: differs.map(describePair),
      isSame: differs.length === 0 && here.scrollWidth === width,
    }
  })
}

/** Where it isn't compared, only a page that's too wide is looked at again. */
export async function measureAtRest(phone: Visitor, width: number): Promise<Measured> {
  const { here } = await lookAtRest(async () => {
    await settle(phone)
    const here = await measure(phone)
    return { here, isSame: here.scrollWidth === width }
  })
  return here
}

async function lookAtRest<Look extends { isSame: boolean }>(look: () => Promise<Look>): Promise<Look> {
  const end = performance.now() + patience
  for (;;) {
    const seen = await look()
    if (seen.isSame || performance.now() > end) return seen
  }
}

export const isKnown = (browser: EngineName, path: string, { what }: Pick<Pair, 'what'>) =>
  knownSizes.some((one) => one.browsers.includes(browser) && path.startsWith(one.on ?? '/') && one.what.test(what))

const differenceOf = (one: Size, other: Size) =>
  Math.max(Math.abs(one.width - other.width), Math.abs(one.height - other.height))

export function describePair({ what, here, there }: Pair): string {
  const [one, other] = [here, there].map((size) =>
    size ? `${size.width} × ${size.height}, ${size.lines} lines` : 'missing',
  )
  return `${what}: ${one}; in Chromium ${other}`
}

/** Runs in the page, alone. */
async function measureSizes(): Promise<Measured> {
  // What's far below is laid out too.
  for (const part of document.querySelectorAll<HTMLElement>('.cat, .row')) part.style.contentVisibility = 'visible'
  // A page that has just become wider knows so with the next frame. One that isn't shown paints none.
  const frame = () =>
    Promise.race([
      new Promise((resolve) => requestAnimationFrame(resolve)),
      new Promise((resolve) => setTimeout(resolve, 200)),
    ])
  await frame()
  await frame()
  const linesOf = (element: Element) => {
    let lines = 0
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(text)
      let bottom = Number.NEGATIVE_INFINITY
      for (const box of range.getClientRects()) {
        if (box.width < 1 || box.top + box.height / 2 < bottom) continue
        lines += 1
        bottom = box.bottom
      }
    }
    return lines
  }
  const labelOf = (element: Element) => {
    const labels = 'labels' in element && element.labels instanceof NodeList ? [...element.labels] : []
    return labels.map((label) => label.textContent).join(' ') || element.ariaLabel || element.textContent || ''
  }
  const kinds = {
    heading: 'h1, h2, h3, h4, h5, h6',
    field: 'input, textarea, select, [contenteditable=true]',
    button: 'button, [role=button], summary, .btn',
    row: 'li, tr',
  }
  const counts = new Map<string, number>()
  const numbered = (name: string) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? name : `${name} ${count}`
  }
  const round = (length: number) => Math.round(length * 10) / 10
  const sizes = Object.entries(kinds).flatMap(([kind, selector]) =>
    [...document.querySelectorAll(selector)]
      // Neither what only a reader hears, nor what’s there for robots.
      .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((one) => !one.matches('[tabindex="-1"]:is(input)'))
      .map((one) => ({ one, box: one.getBoundingClientRect() }))
      .filter(({ box: { width, height } }) => width > 1 && height > 1)
      .map(({ one, box }) => ({
        // Times pass, and counts go up.
        what: numbered(`${kind} “${labelOf(one).replaceAll(/\s+/g, ' ').replaceAll(/\d+/g, '0').trim().slice(0, 60)}”`),
        left: round(box.left + scrollX),
        top: round(box.top + scrollY),
        width: round(box.width),
        height: round(box.height),
        lines: kind === 'field' ? 0 : linesOf(one),
      })),
  )
  return { sizes, scrollWidth: document.documentElement.scrollWidth, innerWidth }
}
