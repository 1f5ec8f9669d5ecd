import { type ComponentType, lazy, memo, type RefObject, Suspense, useEffect, useLayoutEffect, useRef } from 'react'

/** Above and below the screen. */
const near = '400px 0px'

/** The button whose press went nowhere: React stops presses on their way to what it has not taken over yet. */
let lostPress: HTMLElement | null = null
function keepPress({ target }: Event) {
  lostPress = target instanceof Element ? target.closest('button') : null
}
function forgetPress() {
  lostPress = null
}
if (!import.meta.env.SSR) {
  window.addEventListener('click', keepPress, true)
  window.addEventListener('click', forgetPress)
}

/**
 * A part whose script comes only when it is near the screen, gets the focus or is pressed. Until then it stands as the
 * server sent it (`onServer`), and then comes alive in place; a press made meanwhile counts. Without signal it stays as it
 * is and tries again with the next one. Its props must be the same objects from one rendering of the page to the next:
 * React gives up what the server sent when they change before the script is there.
 */
export function hydrateNear<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  onServer?: ComponentType<Props>,
) {
  let wake = () => {}
  const woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  const Part = onServer ?? lazy(() => woken.then(() => persist(load)).then((part) => ({ default: part })))

  return memo((props: Props) => {
    const box = useRef<HTMLDivElement>(null)
    // At once: it may be a press that made React take over the page around this part.
    useLayoutEffect(() => (box.current ? watch(box.current, wake) : undefined), [])
    return (
      <div ref={box}>
        <Suspense>
          <Part {...props} />
          <PressAgain inside={box} />
        </Suspense>
      </div>
    )
  })
}

async function persist<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch {
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
    return persist(load)
  }
}

/** Calls `wake` when it is time, perhaps more than once. */
function watch(box: HTMLElement, wake: () => void) {
  // Where nothing came with the page, the browser draws the part, at once.
  if (!box.firstElementChild || box.contains(lostPress)) wake()
  const wakeIfInside = ({ target }: Event) => {
    if (target instanceof Node && box.contains(target)) wake()
  }
  const observer = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && wake(), {
    rootMargin: near,
  })
  observer.observe(box)
  for (const type of ['click', 'focusin']) window.addEventListener(type, wakeIfInside, true)
  return () => {
    observer.disconnect()
    for (const type of ['click', 'focusin']) window.removeEventListener(type, wakeIfInside, true)
  }
}

/** Comes alive together with what stands before it. */
function PressAgain({ inside }: { inside: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    // Not now: it may be that very press which made React take over this part, and then it arrives by itself.
    const timer = setTimeout(() => {
      if (inside.current?.contains(lostPress)) lostPress?.click()
    })
    return () => clearTimeout(timer)
  }, [inside])
  return null
}
