import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { BlogSkeleton } from '#pwa/features/blog/blog-skeleton.tsx'
import { postHead } from '#pwa/features/blog/post-texts.ts'
import { postQuery } from '#pwa/features/blog/queries.ts'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { requireQuery } from '#pwa/lib/loader-data.ts'
import { pageTextQuery } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/blog/$slug')({
  staticData: { isPublic: true },
  loader: async ({ context, params }) => {
    const [post, { closing }] = await Promise.all([
      requireQuery(context, postQuery(params.slug)),
      requireQuery(context, pageTextQuery('blog')),
    ])
    if (!post) throw notFound()
    // A link to one of the post's earlier addresses.
    if (post.slug !== params.slug) throw redirect({ to: '.', params: { slug: post.slug }, replace: true })
    return { post, closing }
  },
  component: lazyPage(
    () => import('#pwa/features/blog/post-page.tsx'),
    ({ PostPage }) => <PostPage {...Route.useLoaderData()} />,
  ),
  pendingComponent: BlogSkeleton,
  notFoundComponent: lazyPage(
    () => import('#pwa/features/blog/post-not-found.tsx'),
    ({ PostNotFound }) => <PostNotFound />,
  ),
  errorComponent: lazyPage(
    () => import('#pwa/features/blog/post-not-found.tsx'),
    ({ PostFailed }, props) => <PostFailed {...props} />,
  ),
  head: ({ match, loaderData }) => postHead(loaderData?.post, match.context.content),
})
