import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'

export const Route = createFileRoute('/members_/videos/$slug')({
  // Reads the device's data while the page's code is still loading.
  loader: async ({ context, params, preload }) =>
    preload
      ? null
      : (await loadFile(() => import('#pwa/features/members/stored/use-stored-area.ts'))).openVideo(
          context.queryClient,
          params.slug,
        ),
  head: ({ match, loaderData }) => ({
    meta: [{ title: `${loaderData?.title ?? 'Video'}: ${match.context.content.brand.name}` }],
  }),
  component: lazyPage(
    () => import('#pwa/features/members/video-page/video-page.tsx'),
    ({ VideoPage }) => <VideoPage slug={Route.useParams().slug} />,
  ),
})
