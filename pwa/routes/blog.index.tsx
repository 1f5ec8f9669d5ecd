import { createFileRoute } from '@tanstack/react-router'
import { BlogSkeleton } from '#pwa/features/blog/blog-skeleton.tsx'
import { postsQuery } from '#pwa/features/blog/queries.ts'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { requireQuery } from '#pwa/lib/loader-data.ts'
import { textPage } from '#pwa/lib/text-page.ts'

const { loader, head, ...page } = textPage('blog')

export const Route = createFileRoute('/blog/')({
  ...page,
  loader: async ({ context }) => {
    const [text, posts] = await Promise.all([loader({ context }), requireQuery(context, postsQuery)])
    return { text, posts }
  },
  component: lazyPage(
    () => import('#pwa/features/blog/blog-page.tsx'),
    ({ BlogPage }) => <BlogPage {...Route.useLoaderData()} />,
  ),
  pendingComponent: BlogSkeleton,
  head: ({ match, loaderData }) => head({ match, loaderData: loaderData?.text }),
})
