import { createFileRoute, notFound } from '@tanstack/react-router'
import { PostNotFound } from '#pwa/features/blog/post-not-found.tsx'
import { PostPage } from '#pwa/features/blog/post-page.tsx'
import { postQuery } from '#pwa/features/blog/queries.ts'
import { pageHead } from '#pwa/lib/page-head.ts'
import { need } from '#pwa/lib/router.tsx'

const Page = () => <PostPage post={Route.useLoaderData()} />

export const Route = createFileRoute('/blog/$slug')({
  staticData: { isPublic: true },
  loader: async ({ context, params }) => {
    const post = await need(context, postQuery(params.slug))
    if (!post) throw notFound()
    return post
  },
  component: Page,
  notFoundComponent: PostNotFound,
  head: ({ match, loaderData }) => {
    const siteName = match.context.content.brand.name
    if (!loaderData) return pageHead({ title: 'Post not found', description: 'There is no post here.', siteName })
    const { title, excerpt } = loaderData
    return pageHead({ title, description: excerpt ?? title, siteName, image: '/social/blog.png', type: 'article' })
  },
})
