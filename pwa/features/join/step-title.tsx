import { type ReactNode, useEffect, useRef } from 'react'

/** The heading of a step. `isNext`: it took another step's place, so the page starts again at its top, with the focus. */
export const StepTitle = ({ isNext, children }: { isNext: boolean; children: ReactNode }) => {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isNext) return
    window.scrollTo({ top: 0, behavior: 'instant' })
    title.current?.focus({ preventScroll: true })
  }, [isNext])
  return (
    <h1 ref={title} className="join__title" tabIndex={-1}>
      {children}
    </h1>
  )
}
