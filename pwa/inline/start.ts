/**
 * Put at the end of the document: starts the app after the first paint, or at the first touch if that comes sooner. The
 * shell starts it at once, since it has nothing to read, and requests its route's scripts and styles at the same time.
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

/** Each in a task of its own: together they would keep a slow phone from responding to a touch. */
async function run(scripts: readonly string[]): Promise<void> {
  for (const script of scripts) {
    await import(script)
    await new Promise((resolve) => setTimeout(resolve))
  }
}

/**
 * A button that is clicked before the app has hydrated the page is clicked again for the visitor afterwards. Until then no
 * other listener receives the click: React drops some of those that come while it hydrates, and handles others.
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
// Not from an animation frame: that is before the paint, which the scripts' downloads would then hold up.
else new PerformanceObserver(start).observe({ type: 'paint', buffered: true })
// A tab in the background paints nothing, and an old browser tells of no paint.
setTimeout(start, 3000)

globalThis.stopCapturingClicks = () => {
  removeEventListener('click', captureClick, true)
  globalThis.stopCapturingClicks = undefined
}

export {}
