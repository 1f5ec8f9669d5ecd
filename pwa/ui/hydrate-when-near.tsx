import { type ComponentType, lazy, memo, type RefObject, Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { onBackInRange } from '#pwa/lib/back-in-range.ts'

/** A margin around the screen, so that the script is there before the part is visible. */
const rootMargin = '400px 0px'

/** The button of a press that had no effect, because React stops events on their way to a part that isn't hydrated yet. */
let missedPress: HTMLElement | null = null
function rememberPress({ target }: Event) {
  missedPress = target instanceof Element ? target.closest('button') : null
}
function forgetPress() {
  missedPress = null
}
if (!import.meta.env.SSR) {
  // The first listener runs before React, the second only if React has let the event through.
  window.addEventListener('click', rememberPress, true)
  window.addEventListener('click', forgetPress)
}

/**
 * A part whose script loads only when it's near the screen, gets the focus or is pressed. Until then it shows the server's HTML
 * (`onServer`), and then hydrates in place; a press in between still counts. Without signal it stays as it is and tries again
 * later. Its props must be the same objects on every render of the page: React discards the server's HTML if they change before the
 * script is there.
 */
export function hydrateWhenNear<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  onServer?: ComponentType<Props>,
) {
  let hydrate = () => {}
  const isWanted = new Promise<void>((resolve) => {
    hydrate = resolve
  })
  const Part = onServer ?? lazy(() => isWanted.then(() => loadWithRetry(load)).then((part) => ({ default: part })))

  return memo((props: Props) => {
    const box = useRef<HTMLDivElement>(null)
    useLayoutEffect(() => (box.current ? watch(box.current, hydrate) : undefined), [])
    return (
      <div ref={box}>
        <Suspense>
          <Part {...props} />
          <ReplayPress inside={box} />
        </Suspense>
      </div>
    )
  })
}

async function loadWithRetry<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch {
    await new Promise<void>((resolve) => {
      const stop = onBackInRange(() => {
        stop()
        resolve()
      })
    })
    return loadWithRetry(load)
  }
}

/** Calls `hydrate` when it's time, perhaps more than once. */
function watch(box: HTMLElement, hydrate: () => void) {
  // If the server rendered nothing, the browser renders the part straight away.
  if (!box.firstElementChild || box.contains(missedPress)) hydrate()
  const hydrateIfInside = ({ target }: Event) => {
    if (target instanceof Node && box.contains(target)) hydrate()
  }
  const observer = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && hydrate(), {
    rootMargin,
  })
  observer.observe(box)
  for (const type of ['click', 'focusin']) window.addEventListener(type, hydrateIfInside, true)
  return () => {
    observer.disconnect()
    for (const type of ['click', 'focusin']) window.removeEventListener(type, hydrateIfInside, true)
  }
}

/** Hydrates together with the part next to it. */
function ReplayPress({ inside }: { inside: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    // Not now: that very press may have made React hydrate this part, and then it arrives anyway.
    const timer = setTimeout(() => {
      if (inside.current?.contains(missedPress)) missedPress?.click()
    })
    return () => clearTimeout(timer)
  }, [inside])
  return null
}
