import { createFileRoute } from '@tanstack/react-router'
import { CoachingApplicationPage } from '#pwa/features/enquiries/coaching-application-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/coaching-application')({
  ...textPage('coaching-application'),
  component: () => <CoachingApplicationPage text={Route.useLoaderData()} />,
})
