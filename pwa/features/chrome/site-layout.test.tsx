import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { onPageView } from '#pwa/lib/page-views.ts'
import { RouteAnnouncer } from './site-layout.tsx'

afterEach(() => vi.restoreAllMocks())

async function startSite() {
  const rootRoute = createRootRoute({
    component: () => (
      <>
        <main id="main" tabIndex={-1}>
          <Outlet />
        </main>
        <RouteAnnouncer />
      </>
    ),
  })
  const page = (path: string, title: string) =>
    createRoute({
      getParentRoute: () => rootRoute,
      path,
      component: () => <h1>{title}</h1>,
      head: () => ({ meta: [{ title }] }),
    })
  const routeTree = rootRoute.addChildren([page('/', 'Home'), page('/login', 'Log in')])
  const router = createRouter({ routeTree, history: createMemoryHistory() })
  await router.load()
  render(<RouterProvider router={router} />)
  await screen.findByRole('heading', { name: 'Home' })
  return router
}

test('NAV-15 NAV-16 ROUTE-32 a change of route goes to the top, is said aloud and is reported once', async () => {
  const scrollTo = vi.spyOn(window, 'scrollTo').mockImplementation(() => {})
  const seen: string[] = []
  const stop = onPageView((path) => seen.push(path))
  const router = await startSite()
  scrollTo.mockClear()
  await router.navigate({ to: '/login' })
  await expect.poll(() => screen.getByRole('status').textContent).toBe('Log in')
  expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'instant' })
  expect(document.title).toBe('Log in')
  expect(document.activeElement?.id).toBe('main')
  expect(seen).toEqual(['/', '/login'])
  stop()
})
