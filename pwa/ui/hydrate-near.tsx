import { type ComponentType, lazy, memo, Suspense, useEffect, useRef } from 'react'

/** Above and below the screen. */
const near = '400px 0px'

/**
 * A part whose script comes only when it is near the screen, gets the focus or is pressed. Until then it stands as the
 * server sent it (`onServer`), and then comes alive in place; a press made meanwhile counts. Without signal it stays as it
 * is and tries again with the next one. Its props must be the same objects from one rendering of the page to the next:
 * React gives up what the server sent when they change before the script is there.
 */
export const hydrateNear = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  onServer?: ComponentType<Props>,
) => {
  let wake = () => {}
  const woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  const Part = onServer ?? lazy(() => woken.then(() => persist(load)).then((part) => ({ default: part })))

  return memo((props: Props) => {
    const box = useRef<HTMLDivElement>(null)
    const stopWatching = useRef<() => HTMLElement | undefined>(undefined)
    useEffect(() => {
      if (!box.current) return
      const stop = watch(box.current, wake)
      stopWatching.current = stop
      return () => {
        stop()
      }
    }, [])
    return (
      <div ref={box}>
        <Suspense>
          <Part {...props} />
          <OnceAlive act={() => stopWatching.current?.()?.click()} />
        </Suspense>
      </div>
    )
  })
}

const persist = async <Part,>(load: () => Promise<Part>): Promise<Part> => {
  try {
    return await load()
  } catch {
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
    return persist(load)
  }
}

/** Calls `wake` when it is time; what it returns ends the watch and gives the button that was pressed meanwhile. */
const watch = (box: HTMLElement, wake: () => void) => {
  let pressed: HTMLElement | undefined
  const keepPress = ({ target }: Event) => {
    pressed = (target instanceof Element && target.closest('button')) || undefined
    wake()
  }
  const observer = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && wake(), {
    rootMargin: near,
  })
  // Nothing came with the page: the browser draws it, at once.
  if (!box.firstElementChild) wake()
  observer.observe(box)
  box.addEventListener('click', keepPress)
  box.addEventListener('focusin', wake)
  return () => {
    observer.disconnect()
    box.removeEventListener('click', keepPress)
    box.removeEventListener('focusin', wake)
    return pressed
  }
}

const OnceAlive = ({ act }: { act: () => void }) => {
  const first = useRef(act)
  useEffect(() => first.current(), [])
  return null
}
