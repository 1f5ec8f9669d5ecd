import type { ReactNode } from 'react'
import { BookButton } from '#pwa/features/booking/book-button.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { StepList } from '#pwa/ui/list.tsx'
import { PageSection } from '#pwa/ui/page-section.tsx'
import type { CoachingText } from '#shared/contract/texts/coaching.ts'

/** Three steps, the first two with their button. */
export const GetStarted = ({ text }: { text: CoachingText['start'] }) => {
  const actions: ReactNode[] = [
    <BookButton key="book" title={text.dialog} look="hivis" icon="arrow">
      BOOK FREE CONSULTATION
    </BookButton>,
    <ButtonLink key="tier" to="/membership-application" look="line" icon="arrow">
      CHOOSE YOUR TIER
    </ButtonLink>,
  ]
  return (
    <PageSection section={text} isOnInk>
      <StepList>
        {text.steps.map(({ title, text }, place) => (
          <li key={title}>
            <h3>{title}</h3>
            <div className="start">
              <p>{text}</p>
              {actions[place]}
            </div>
          </li>
        ))}
      </StepList>
    </PageSection>
  )
}
