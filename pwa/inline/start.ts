/**
 * Goes at the end of the document. Starts the app after the first paint, or at the first touch if that's sooner. The shell has
 * nothing to read, so it starts the app immediately and requests its route's scripts and styles at the same time.
 */
const root = document.getElementById('root')
const touches = ['pointerdown', 'keydown', 'focusin']
let hasStarted = false

function start(): void {
  const entry = root?.dataset.entry
  if (hasStarted || !entry) return
  hasStarted = true
  for (const touch of touches) removeEventListener(touch, start, true)
  const ofRoute: string[] = JSON.parse(root.dataset.routes ?? '{}')[location.pathname] ?? []
  for (const file of [entry, root.dataset.chunks, ...ofRoute].flatMap((files) => (files ? files.split(' ') : []))) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    if (file.endsWith('.css')) Object.assign(link, { rel: 'preload', as: 'style', crossOrigin: '' })
    link.href = file
    document.head.append(link)
  }
  run(entry.split(' '))
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
  globalThis.earlyClick = button ?? undefined
  if (!button) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

for (const touch of touches) addEventListener(touch, start, true)
addEventListener('click', captureClick, true)
if (root?.dataset.page === 'shell') start()
// Not in an animation frame: that's before the paint, and downloading the scripts would delay it.
else new PerformanceObserver(start).observe({ type: 'paint', buffered: true })
// A background tab never paints, and old browsers don't report paints.
setTimeout(start, 3000)

globalThis.stopCapturingClicks = () => {
  removeEventListener('click', captureClick, true)
  globalThis.stopCapturingClicks = undefined
}

export {}
