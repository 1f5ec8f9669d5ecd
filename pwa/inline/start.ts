import { isDeparture, longestDepartureMs } from '#pwa/lib/departure.ts'
import { isTooOld } from '#pwa/lib/too-old.ts'
import { menuAt, pressMenu, workMenus } from './menus.ts'
import { countView, isKnownDevice, keepForLater, nextTask } from './visit.ts'

/**
 * Goes at the end of the document. A public page is whole without the app, and starting it would keep a slow phone from answering:
 * so it starts with the visitor's first press, key or scroll, and is fetched before. The shell has nothing to read, so it starts the
 * app immediately; `ahead.ts` has requested its files. A browser too old for the app runs it too, so it has no syntax from after 2018.
 */
const { dataset } = document.getElementById('root') || document.body
const signs = ['pointerdown', 'pointermove', 'keydown', 'focusin', 'scroll']
let hasBegun = false
let hasStarted = false
let isWithoutApp = false

function start(): void {
  const { entry } = dataset
  if (hasStarted || !entry) return
  hasStarted = true
  for (const sign of signs) removeEventListener(sign, startAtSign, true)
  if (dataset.page !== 'shell')
    for (const file of `${entry} ${dataset.chunks}`.trim().split(' ')) {
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.href = file
      document.head.append(link)
    }
  addEventListener('beforeunload', noteDeparture)
  run(entry.split(' '))
    .catch(async (error: unknown) => {
      // Firefox stops a page's files as soon as a navigation begins. Then nothing has failed, unless the page stays after all.
      while (performance.now() - (window.departedAt || -Infinity) < longestDepartureMs) await nextTask(500)
      doWithoutApp()
      throw error
    })
    .finally(() => removeEventListener('beforeunload', noteDeparture))
}

/** As `lib/leaving.ts` does once the app is there. */
function noteDeparture(): void {
  window.departedAt = performance.now()
}

/** The menu needs no app, and a press on it is answered before anything else. */
function startAtSign({ type, target }: Event): void {
  if (type === 'pointermove' || !menuAt(target)) start()
}

/** By more in the address than a campaign, by the page, or by a browser that gets its colours from the app. */
const isAsked = () =>
  /[?&](?!utm_|gclid|fbclid)./.test(location.search) ||
  document.querySelector('[data-needs-app]') !== null ||
  !CSS.supports('color:light-dark(red,red)')

/**
 * Once the page is painted. On a device we don't know the app has nothing to do yet, unless it's asked for. Each step has a task of its
 * own: the first look into a store, or the first request, takes a slow phone a tenth of a second.
 */
async function begin(): Promise<void> {
  if (hasBegun) return
  hasBegun = true
  if (dataset.page !== 'page') return start()
  window.isViewCounted = true
  const isKnown = isKnownDevice()
  if (isKnown || isAsked()) start()
  await nextTask()
  countView()
  if (isKnown) return
  for (const file of (dataset.entry || '').split(' ')) {
    await nextTask()
    if (!hasStarted && file) fetchAhead(file)
  }
  await nextTask()
  await keepForLater()
}

/** Not by a link: that would compile it, too. Reading it to its end puts it into the browser's cache. The route's own files are small. */
function fetchAhead(file: string): void {
  fetch(file, { priority: 'low' })
    .then((response) => response.blob())
    .catch(() => {})
}

/** The app doesn't come, or stops while it starts: the page works as it does without scripts. */
function doWithoutApp(): void {
  isWithoutApp = true
  if (window.stopCapturingClicks) window.stopCapturingClicks()
  if (window.stopMenus) window.stopMenus()
  workWithoutScripts()
  if (window.earlyClick) {
    window.earlyClick.removeAttribute('aria-busy')
    window.earlyClick.click()
  }
  if (window.showStopped) window.showStopped()
}

/** Each in a task of its own: together they'd stop a slow phone responding to touches. */
async function run(scripts: readonly string[]): Promise<void> {
  for (const script of scripts) {
    await import(script)
    await nextTask()
  }
}

/**
 * If a visitor clicks a button before the app has hydrated the page, we click it again afterwards. Until then we stop the click:
 * while hydrating, React drops some clicks and handles others. The menu opens straight away.
 */
function captureClick(event: Event): void {
  const button = event.target instanceof Element ? event.target.closest('button') : null
  // Its button is React's a moment before the others are.
  if (menuAt(button) && !window.stopMenus) return
  if (button) {
    event.preventDefault()
    event.stopImmediatePropagation()
    if (pressMenu(button)) return
  }
  if (window.earlyClick) window.earlyClick.removeAttribute('aria-busy')
  window.earlyClick = button || undefined
  if (!button) {
    if (isDeparture(event)) noteDeparture()
    return
  }
  button.setAttribute('aria-busy', 'true')
  start()
}

function listen(): void {
  window.doWithoutApp = doWithoutApp
  for (const sign of signs) addEventListener(sign, startAtSign, true)
  addEventListener('click', captureClick, true)
  const stopMenus = workMenus()
  window.stopMenus = () => {
    stopMenus()
    window.stopMenus = undefined
  }
  window.stopCapturingClicks = () => {
    removeEventListener('click', captureClick, true)
    window.stopCapturingClicks = undefined
  }
  // A browser may keep a page that was left before the app came, and drop what it was loading. Back on it, nothing would ever come, or
  // the page has said so already.
  window.addEventListener(
    'pageshow',
    ({ persisted }) => persisted && ((hasStarted && window.stopCapturingClicks) || isWithoutApp) && location.reload(),
  )
  if (dataset.page === 'shell') start()
  // Not in an animation frame: that's before the paint, and downloading the scripts would delay it.
  else new PerformanceObserver(begin).observe({ type: 'paint', buffered: true })
  // A background tab never paints, and old browsers don't report paints.
  setTimeout(begin, 3000)
}

/** What's for visitors without scripts is for these too, and a press opens the menu. */
function workWithoutScripts(): void {
  if (dataset.page === 'page') for (const one of document.querySelectorAll('noscript')) one.outerHTML = one.textContent
  addEventListener('click', ({ target }) => pressMenu(target))
  workMenus()
}

if (window.stopEarlyPresses) window.stopEarlyPresses()
if (isTooOld()) workWithoutScripts()
else listen()
