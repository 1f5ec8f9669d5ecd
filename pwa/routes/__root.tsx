import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { ErrorPage } from '#pwa/features/chrome/error-page.tsx'
import { NotFoundPage } from '#pwa/features/chrome/not-found-page.tsx'
import { SiteLayout } from '#pwa/features/chrome/site-layout.tsx'
import type { RouterContext } from '#pwa/lib/loader-data.ts'
import { notFoundTitle } from '#pwa/lib/page-head.ts'

export const Route = createRootRouteWithContext<RouterContext>()({
  component: () => (
    <SiteLayout>
      <Outlet />
    </SiteLayout>
  ),
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
  head: ({ match, matches }) => {
    const { name, tagline } = match.context.content.brand
    // Only this route matches a path without a page.
    const title = matches.length === 1 ? notFoundTitle(name) : name
    return { meta: [{ title }, { name: 'description', content: tagline }] }
  },
})
