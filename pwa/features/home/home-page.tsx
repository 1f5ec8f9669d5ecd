import type { HomeText } from '#shared/contract/texts/home.ts'
import { Hero } from './hero.tsx'
import { Journey } from './journey.tsx'
import { LastCall } from './last-call.tsx'
import { PickTier } from './pick-tier.tsx'
import { WorkRequired } from './work-required.tsx'

/** The front page. */
export const HomePage = (_: { text: HomeText }) => (
  <>
    <Hero />
    <WorkRequired />
    <Journey />
    <PickTier />
    <LastCall />
  </>
)
