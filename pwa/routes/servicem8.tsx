import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/servicem8')({
  ...textPage('servicem8'),
  component: lazyPage(
    () => import('#pwa/features/servicem8/servicem8-page.tsx'),
    ({ Servicem8Page }) => <Servicem8Page text={Route.useLoaderData()} />,
  ),
})
