import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, type RouterHistory, RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorPage } from '#pwa/features/chrome/error-page.tsx'
import { routeTree } from '#pwa/routeTree.gen.ts'
import type { RouterContext } from './lib/loader-data.ts'
import { SiteContentProvider } from './lib/site-content.tsx'

export type AppRouter = ReturnType<typeof createAppRouter>

/** A router for one page view on the server, or for as long as the page lives in the browser. */
export const createAppRouter = (context: RouterContext, history?: RouterHistory) =>
  createRouter({
    routeTree,
    history,
    context,
    caseSensitive: true,
    // Replaces only the page: header and footer stay.
    defaultErrorComponent: ErrorPage,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: false,
    // A query is text: don't parse numbers, lists or objects in it.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const query = new URLSearchParams(Object.entries(search).filter(([, text]) => text !== undefined)).toString()
      return query && `?${query}`
    },
  })

/**
 * The router scrolls to the top or to the `#` whenever it has rendered a page, including when it hydrates. By then the visitor may
 * have scrolled, and would click next to the button they meant.
 */
export function skipFirstScroll(router: AppRouter): void {
  router.options.scrollRestoration = () => false
  const stop = router.subscribe('onRendered', () => {
    stop()
    router.options.scrollRestoration = false
  })
}

/** What every component can use: the API's responses and the site's content. */
export function AppProviders({ router, children }: { router: AppRouter; children: ReactNode }) {
  const { queryClient, content } = router.options.context
  return (
    <QueryClientProvider client={queryClient}>
      <SiteContentProvider content={content}>{children}</SiteContentProvider>
    </QueryClientProvider>
  )
}

export const App = ({ router }: { router: AppRouter }) => (
  <AppProviders router={router}>
    <RouterProvider router={router} />
  </AppProviders>
)

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: the router's types are extended by merging
  interface Register {
    router: AppRouter
  }
  // biome-ignore lint/style/useConsistentTypeDefinitions: the router's types are extended by merging
  interface StaticDataRouteOption {
    /** The server renders this page in full; it needs no session. */
    isPublic?: boolean
  }
}
