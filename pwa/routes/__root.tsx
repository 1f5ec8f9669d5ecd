import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { ErrorPage, NotFoundPage } from '#pwa/features/chrome/error-page.tsx'
import { SiteLayout } from '#pwa/features/chrome/site-layout-section.tsx'
import type { RouterContext } from '#pwa/lib/router.tsx'

export const Route = createRootRouteWithContext<RouterContext>()({
  component: () => (
    <SiteLayout>
      <Outlet />
    </SiteLayout>
  ),
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
  head: ({ match }) => {
    const { name, tagline } = match.context.content.brand
    return { meta: [{ title: name }, { name: 'description', content: tagline }] }
  },
})
