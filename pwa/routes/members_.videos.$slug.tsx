import { createFileRoute } from '@tanstack/react-router'
import { LessonPage } from '#pwa/features/members/lesson/lesson-page.tsx'

export const Route = createFileRoute('/members_/videos/$slug')({
  // Reads the device's data while the page's code is still loading.
  loader: async ({ context, params, preload }) =>
    preload
      ? null
      : (await import('#pwa/features/members/stored/use-stored-area.ts')).openLesson(context.queryClient, params.slug),
  head: ({ match, loaderData }) => ({
    meta: [{ title: `${loaderData?.title ?? 'Video'}: ${match.context.content.brand.name}` }],
  }),
  component: () => <LessonPage slug={Route.useParams().slug} />,
})
