import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/coaching-application')({
  ...textPage('coaching-application'),
  component: lazyPage(
    () => import('#pwa/features/enquiries/coaching-application-page.tsx'),
    ({ CoachingApplicationPage }) => <CoachingApplicationPage text={Route.useLoaderData()} />,
  ),
})
