import { isTooOld } from '#pwa/lib/too-old.ts'

/**
 * Goes at the end of the document. Starts the app after the first paint, or at the first touch if that's sooner. The shell has
 * nothing to read, so it starts the app immediately and requests its route's scripts and styles at the same time. A browser too old
 * for the app runs it too, so it has no syntax from after 2018.
 */
const { dataset } = document.getElementById('root') || document.body
const touches = ['pointerdown', 'keydown', 'focusin']
let hasStarted = false
let isWithoutApp = false

function start(): void {
  const { entry } = dataset
  if (hasStarted || !entry) return
  hasStarted = true
  for (const touch of touches) removeEventListener(touch, start, true)
  const ofRoute: string[] = JSON.parse(dataset.routes || '{}')[location.pathname] || []
  for (const file of [entry, dataset.chunks, ...ofRoute].flatMap((files) => (files ? files.split(' ') : []))) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    if (file.endsWith('.css')) Object.assign(link, { rel: 'preload', as: 'style', crossOrigin: '' })
    link.href = file
    document.head.append(link)
  }
  run(entry.split(' ')).catch((error: unknown) => {
    doWithoutApp()
    throw error
  })
}

/** The app doesn't come, or stops while it starts: the page works as it does without scripts. */
function doWithoutApp(): void {
  isWithoutApp = true
  if (window.stopCapturingClicks) window.stopCapturingClicks()
  workWithoutScripts()
  if (window.earlyClick) window.earlyClick.click()
  if (window.showStopped) window.showStopped()
}

/** Each in a task of its own: together they'd stop a slow phone responding to touches. */
async function run(scripts: readonly string[]): Promise<void> {
  for (const script of scripts) {
    await import(script)
    await new Promise((resolve) => setTimeout(resolve))
  }
}

/**
 * If a visitor clicks a button before the app has hydrated the page, we click it again afterwards. Until then we stop the click:
 * while hydrating, React drops some clicks and handles others.
 */
function captureClick(event: Event): void {
  const button = event.target instanceof Element ? event.target.closest('button') : null
  window.earlyClick = button || undefined
  if (!button) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

function listen(): void {
  window.doWithoutApp = doWithoutApp
  for (const touch of touches) addEventListener(touch, start, true)
  addEventListener('click', captureClick, true)
  window.stopCapturingClicks = () => {
    removeEventListener('click', captureClick, true)
    window.stopCapturingClicks = undefined
  }
  // A browser may keep a page that was left before the app came, and drop what it was loading. Back on it, nothing would ever come, or
  // the page has said so already.
  window.addEventListener(
    'pageshow',
    ({ persisted }) => persisted && (window.stopCapturingClicks || isWithoutApp) && location.reload(),
  )
  if (dataset.page === 'shell') start()
  // Not in an animation frame: that's before the paint, and downloading the scripts would delay it.
  else new PerformanceObserver(start).observe({ type: 'paint', buffered: true })
  // A background tab never paints, and old browsers don't report paints.
  setTimeout(start, 3000)
}

/** What's for visitors without scripts is for these too, and a press opens the menu. */
function workWithoutScripts(): void {
  if (dataset.page === 'page') for (const one of document.querySelectorAll('noscript')) one.outerHTML = one.textContent
  addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('[aria-controls]')
    const menu = button && document.getElementById(button.getAttribute('aria-controls') || '')
    if (menu) menu.hidden = !menu.hidden
  })
}

if (isTooOld()) workWithoutScripts()
else listen()
