import { useState } from 'react'
import { Quotes } from '#pwa/features/home/quotes.tsx'
import { Reviews } from '#pwa/features/home/reviews.tsx'
import { TierChooser } from '#pwa/features/tiers/tier-chooser.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { ClickToLoad } from '#pwa/ui/click-to-load.tsx'
import { StepList, TickList } from '#pwa/ui/list.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import type { HomeText } from '#shared/contract/texts/home.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'
import { type ChosenTier, chosenOf } from '#shared/rules/tier-prices.ts'
import { Group, Specimen } from './specimen.tsx'

const heading = 'What the page is about'
const lead = 'In one breath, and what to press.'

export const PageParts = ({ tiers, home }: { tiers: MembershipTier[]; home: HomeText }) => (
  <Group name="Pages">
    <Specimen isWide name="Head of a page">
      <PageHero heading={heading} lead={lead}>
        <Button icon="arrow">BOOK A CALL</Button>
      </PageHero>
      <PageHero tone="blade" heading={heading} lead={lead}>
        <Button icon="arrow">BOOK A CALL</Button>
      </PageHero>
      <PageHero tone="ink" heading={heading} lead={lead}>
        <Button icon="arrow">BOOK A CALL</Button>
      </PageHero>
    </Specimen>
    <Specimen isWide name="Section">
      <PageSection section={{ name: 'Margin', heading: 'A section', lead }}>
        <p>The work stands here.</p>
      </PageSection>
    </Specimen>
    <Tiers tiers={tiers} />
    <Lists />
    <Specimen isWide name="Reviews" says="Rotate by themselves, can be paused, and stand still for reduced motion.">
      <Reviews text={home.reviews} />
    </Specimen>
    <Specimen isWide name="Daily quote">
      <Quotes text={home.quotes} />
    </Specimen>
    <Specimen name="Players and pages of other sites" says="Nothing of them loads before the press.">
      <ClickToLoad
        address="https://player.example/1"
        title="The video"
        action="Play the video"
        picture={<Picture name="video-demo" alt="" width={640} height={360} />}
      />
    </Specimen>
  </Group>
)

function Tiers({ tiers }: { tiers: MembershipTier[] }) {
  const [selected, select] = useState<ChosenTier>({ slug: 'lite' })
  const state = { tiers, isLoading: false, retry: () => {} }
  return (
    <>
      <Specimen isWide name="Tiers" says="One is picked by pressing anywhere on it.">
        <TierChooser state={state} selected={selected} onSelect={(tier, price) => select(chosenOf(tier, price))} />
      </Specimen>
      <Specimen isWide name="Tiers, loading and missing">
        <TierChooser state={{ ...state, isLoading: true }} />
        <TierChooser state={{ ...state, tiers: [] }} />
      </Specimen>
    </>
  )
}

const Lists = () => (
  <Specimen name="Lists">
    <TickList items={['A call each month', '**All** the videos', 'The community']} />
    <StepList>
      <li>
        <h3>Apply</h3>
        <p>Ten questions, five minutes.</p>
      </li>
      <li>
        <h3>Talk</h3>
        <p>A coach rings you.</p>
      </li>
    </StepList>
    <ul className="snag">
      <li>
        <span className="num">1</span>
        <del>Work harder</del>
        <span>Price from your own figures.</span>
      </li>
    </ul>
  </Specimen>
)
