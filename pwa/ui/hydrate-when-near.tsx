import { type ComponentType, lazy, memo, type RefObject, Suspense, useEffect, useLayoutEffect, useRef } from 'react'

/** Around the screen, so that the script is there before the part is seen. */
const rootMargin = '400px 0px'

/** The button of a press that had no effect, because React stops events on their way to what is not hydrated yet. */
let missedPress: HTMLElement | null = null
function rememberPress({ target }: Event) {
  missedPress = target instanceof Element ? target.closest('button') : null
}
function forgetPress() {
  missedPress = null
}
if (!import.meta.env.SSR) {
  // The first listener runs before React, the second only where React has let the event through.
  window.addEventListener('click', rememberPress, true)
  window.addEventListener('click', forgetPress)
}

/**
 * A part whose script is loaded only when it is near the screen, gets the focus or is pressed. Until then it is shown as the
 * server rendered it (`onServer`), and is then hydrated in place; a press made meanwhile counts. Without signal it stays as
 * it is and tries again once there is signal. Its props must be the same objects from one rendering of the page to the next:
 * React discards what the server rendered when they change before the script is there.
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
    // A layout effect, because it may be a press that made React hydrate the page around this part.
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
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
    return loadWithRetry(load)
  }
}

/** Calls `hydrate` when it is time, perhaps more than once. */
function watch(box: HTMLElement, hydrate: () => void) {
  // Where the server rendered nothing, the browser renders the part at once.
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

/** Is hydrated together with the part that it is rendered beside. */
function ReplayPress({ inside }: { inside: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    // Not now: it may be that very press which made React hydrate this part, and then it arrives by itself.
    const timer = setTimeout(() => {
      if (inside.current?.contains(missedPress)) missedPress?.click()
    })
    return () => clearTimeout(timer)
  }, [inside])
  return null
}
