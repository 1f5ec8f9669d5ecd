import { TierSection } from '#pwa/features/tiers/tier-chooser-section.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { hydrateNear } from '#pwa/ui/hydrate-near.tsx'
import { ClosingSection } from '#pwa/ui/page-section.tsx'
import type { HomeText } from '#shared/contract/texts/home.ts'
import { Hero } from './hero.tsx'
import { JoinSection } from './join-section.tsx'
import { Journey } from './journey.tsx'
import { WorkRequired } from './work-required.tsx'

const loadSnagList = async () => (await import('./snag-list.tsx')).SnagList
const loadReviews = async () => (await import('./reviews.tsx')).Reviews
const loadQuotes = async () => (await import('./quotes.tsx')).Quotes

const SnagList = hydrateNear(loadSnagList, import.meta.env.SSR ? await loadSnagList() : undefined)
const Reviews = hydrateNear(loadReviews, import.meta.env.SSR ? await loadReviews() : undefined)
const Quotes = hydrateNear(loadQuotes, import.meta.env.SSR ? await loadQuotes() : undefined)

/** The front page. */
export const HomePage = ({ text }: { text: HomeText }) => (
  <>
    <Hero text={text.hero} />
    <WorkRequired text={text.benefits} />
    <Journey text={text.journey} />
    <TierSection text={text.tiers} />
    <SnagList text={text.snags} video={text.video} />
    {text.reviews.items.length > 0 && <Reviews text={text.reviews} />}
    <JoinSection text={text.join} />
    <Quotes text={text.quotes} />
    <ClosingSection heading={text.lastCall.heading} lead={text.lastCall.lead}>
      <ButtonLink to="/coaching-application" icon="arrow">
        {text.lastCall.action}
      </ButtonLink>
    </ClosingSection>
  </>
)
