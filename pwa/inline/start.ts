/**
 * Goes to the end of the document: starts the app after the first paint, or at the first touch if that comes sooner. The
 * shell starts it at once, since there is nothing to read before, and asks for its route's chunks beside it.
 */
const root = document.getElementById('root')
const touches = ['pointerdown', 'keydown', 'focusin']
let hasStarted = false

const start = () => {
  const entry = root?.dataset.entry
  if (hasStarted || !entry) return
  hasStarted = true
  for (const touch of touches) removeEventListener(touch, start, true)
  const ofRoute: string[] = JSON.parse(root.dataset.routes ?? '{}')[location.pathname] ?? []
  for (const chunk of [...(root.dataset.chunks?.split(' ') ?? []), ...ofRoute]) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = chunk
    document.head.append(link)
  }
  run(entry.split(' '))
}

/** Each in a task of its own: together they would keep a slow phone from answering a touch. */
const run = async (scripts: readonly string[]) => {
  for (const script of scripts) {
    await import(script)
    await new Promise((resolve) => setTimeout(resolve))
  }
}

/**
 * A button pressed before the app has taken the page over is pressed again for the person once it has. Until then nobody
 * else hears of it: React drops some of the presses that come while it is at work, and takes others.
 */
const keepPress = (event: Event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null
  globalThis.earlyPress = button ?? undefined
  if (!button) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

for (const touch of touches) addEventListener(touch, start, true)
addEventListener('click', keepPress, true)
if (root?.dataset.page === 'shell') start()
else requestAnimationFrame(() => setTimeout(start))
// A tab in the background paints nothing.
setTimeout(start, 3000)

globalThis.stopKeepingPresses = () => {
  removeEventListener('click', keepPress, true)
  globalThis.stopKeepingPresses = undefined
}

export {}
