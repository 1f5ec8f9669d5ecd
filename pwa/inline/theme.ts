import { markWideLogo } from '#pwa/lib/wide-logo.ts'
import { pressMenu } from './menus.ts'

/**
 * Runs in the document's head before the first paint. Sets light or dark as the visitor or the device chose, and the members'
 * area's site mode, including the hand. Marks an arrival at the top of a page, and looks at the logo.
 */
function chosen(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

const root = document.documentElement
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
function follow() {
  root.dataset.theme = chosen('theme') ?? (prefersDark.matches ? 'dark' : 'light')
}
follow()
// Not if the browser has a place further down to find: it does that by the sections' real heights.
const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
if (visit?.type === 'navigate' && !location.hash) root.dataset.arrival = ''
if (location.pathname.startsWith('/members') && chosen('site-mode')) root.dataset.site = chosen('site-hand') ?? 'right'

// One for each of the device's own schemes. A visitor's choice holds in both.
const bars = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')]
const [day, night] = bars.map(({ content }) => content)
function paint() {
  for (const bar of bars) bar.content = (root.dataset.theme === 'dark' ? night : day) ?? ''
}
paint()
new MutationObserver(paint).observe(root, { attributeFilter: ['data-theme'] })

document.addEventListener(
  'load',
  ({ target }) => {
    if (target instanceof HTMLImageElement && target.closest('.brand')) markWideLogo(target)
  },
  true,
)

prefersDark.addEventListener('change', follow)

// The menu can be seen before the end of the document is here, and with it the script that works it.
const pressEarly = ({ target }: Event) => void pressMenu(target)
addEventListener('click', pressEarly, true)
window.stopEarlyPresses = () => removeEventListener('click', pressEarly, true)
