import { createFileRoute } from '@tanstack/react-router'
import { Servicem8Page } from '#pwa/features/servicem8/servicem8-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/servicem8')({
  ...textPage('servicem8'),
  component: () => <Servicem8Page text={Route.useLoaderData()} />,
})
