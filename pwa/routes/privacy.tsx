import { createFileRoute } from '@tanstack/react-router'
import { LegalPage } from '#pwa/features/legal/legal-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/privacy')({
  ...textPage('privacy'),
  component: () => <LegalPage text={Route.useLoaderData()} />,
})
