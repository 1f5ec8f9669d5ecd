import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'

export const Route = createFileRoute('/members_/$place')({
  // Every page of the site loads this file, so the titles come with the page itself.
  loader: async ({ context, params: { place }, preload }) => {
    const { titleOfPlace } = await loadFile(() => import('#pwa/features/places/account-places.ts'))
    if (!preload) {
      const { preparePlace } = await loadFile(() => import('#pwa/features/members/area/place-page.tsx'))
      await preparePlace(place, context.queryClient)
    }
    return titleOfPlace(place)
  },
  head: ({ match, loaderData }) => ({
    meta: [{ title: `${loaderData ?? 'Your account'}: ${match.context.content.brand.name}` }],
  }),
  component: lazyPage(
    () => import('#pwa/features/members/area/place-page.tsx'),
    ({ PlacePage }) => <PlacePage place={Route.useParams().place} search={Route.useSearch()} />,
  ),
})
