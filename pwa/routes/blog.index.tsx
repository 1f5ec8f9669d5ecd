import { createFileRoute } from '@tanstack/react-router'
import { BlogBones } from '#pwa/features/blog/blog-bones.tsx'
import { BlogPage } from '#pwa/features/blog/blog-page.tsx'
import { postsQuery } from '#pwa/features/blog/queries.ts'
import { need } from '#pwa/lib/router.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

const Page = () => <BlogPage {...Route.useLoaderData()} />

const { loader, head, ...page } = textPage('blog')

export const Route = createFileRoute('/blog/')({
  ...page,
  loader: async ({ context }) => {
    const [text, posts] = await Promise.all([loader({ context }), need(context, postsQuery)])
    return { text, posts }
  },
  component: Page,
  pendingComponent: BlogBones,
  head: ({ match, loaderData }) => head({ match, loaderData: loaderData?.text }),
})
