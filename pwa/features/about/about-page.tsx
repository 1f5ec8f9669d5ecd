import { BookButton } from '#pwa/features/booking/book-button.tsx'
import { CoachSection } from '#pwa/features/coaching/coach-section.tsx'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { StepList } from '#pwa/ui/list.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import type { AboutText } from '#shared/contract/texts/about.ts'

export const AboutPage = ({ text }: { text: AboutText }) => (
  <>
    <PageHero
      tone="blade"
      heading={text.heading}
      lead={text.lead}
      side={
        <Picture name="founder" alt="A van with a ladder on its roof, measured up" width={640} height={480} isFirst />
      }
    >
      <div className="acts">
        <BookButton icon="arrow">Book a free call</BookButton>
        <ButtonLink to="/membership-tiers" look="bare">
          See the tiers
        </ButtonLink>
      </div>
    </PageHero>
    {text.story && <Story story={text.story} />}
    <CoachSection text={text.coaches} />
    <PageSection section={text.approach} follows>
      <div className="spread">
        <StepList>
          {text.approach.steps.map((step) => (
            <li key={step.title}>
              <h3>{step.title}</h3>
              <p>{step.text}</p>
            </li>
          ))}
        </StepList>
      </div>
    </PageSection>
    <PageSection section={text.mission} isOnInk>
      <p className="display said">{text.mission.text}</p>
    </PageSection>
    <PageSection section={text.trust}>
      <TrustCards cards={text.trust.cards} />
      <div className="acts under">
        <ButtonLink to="/membership-tiers" icon="arrow">
          See the tiers
        </ButtonLink>
        <ButtonLink to="/contact" look="bare">
          Ask us a question
        </ButtonLink>
      </div>
    </PageSection>
  </>
)

const Story = ({ story }: { story: NonNullable<AboutText['story']> }) => {
  const { founded } = useSiteContent().claims
  return (
    <PageSection section={story}>
      <div className="pair pair--late">
        {founded.isOn && (
          <p className="stack">
            <span className="label">Founded</span>
            <span className="fig fig--huge">{founded.figure}</span>
          </p>
        )}
        <div className="stack">
          {story.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </div>
    </PageSection>
  )
}

const TrustCards = ({ cards }: Pick<AboutText['trust'], 'cards'>) => {
  const { claims } = useSiteContent()
  const shown = cards.flatMap((card) => {
    if (!('claim' in card)) return [card]
    const { isOn, figure, label } = claims[card.claim]
    return isOn ? [{ figure, label, text: card.text }] : []
  })
  return (
    <ul className="trio sheet sheet--pad">
      {shown.map(({ figure, label, text }) => (
        <li key={label}>
          <h3>
            <span className="fig">{figure}</span> <span className="label">{label}</span>
          </h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  )
}
