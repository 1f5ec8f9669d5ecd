import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import './purchase.css'

/** `isNext`: this step replaced another one, so the page starts at the top again, with the focus on the heading. */
type Props = { isNext: boolean; children: ReactNode }

function useStepHeading(isNext: boolean) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isNext) return
    window.scrollTo({ top: 0, behavior: 'instant' })
    heading.current?.focus({ preventScroll: true })
  }, [isNext])
  return heading
}

/** The heading of a page that changes with its steps. */
export const StepTitle = ({ isNext, children }: Props) => (
  <h1 ref={useStepHeading(isNext)} className="purchase__title" tabIndex={-1}>
    {children}
  </h1>
)

export const StepSubtitle = ({ isNext, children }: Props) => (
  <h2 ref={useStepHeading(isNext)} className="purchase__second" tabIndex={-1}>
    {children}
  </h2>
)

export const BackButton = ({ onBack, children }: { onBack: () => void; children: ReactNode }) => (
  <div>
    <Button look="bare" className="purchase__back" onClick={onBack}>
      <Icon name="back" />
      {children}
    </Button>
  </div>
)
