import { createFileRoute } from '@tanstack/react-router'
import { Hero } from '#pwa/features/home/hero.tsx'
import { Journey } from '#pwa/features/home/journey.tsx'
import { LastCall } from '#pwa/features/home/last-call.tsx'
import { PickTier } from '#pwa/features/home/pick-tier.tsx'
import { WorkRequired } from '#pwa/features/home/work-required.tsx'

const Home = () => (
  <>
    <Hero />
    <WorkRequired />
    <Journey />
    <PickTier />
    <LastCall />
  </>
)

export const Route = createFileRoute('/')({
  staticData: { isPublic: true },
  component: Home,
  head: ({ match }) => {
    const { name, tagline } = match.context.content.brand
    return {
      meta: [{ title: `${name}: more time, more freedom, more profit` }, { name: 'description', content: tagline }],
    }
  },
})
