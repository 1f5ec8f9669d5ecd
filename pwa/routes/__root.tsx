import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { Chrome } from '#pwa/features/chrome/chrome.tsx'
import { NotFound } from '#pwa/features/chrome/not-found.tsx'
import { WentWrong } from '#pwa/features/chrome/went-wrong.tsx'
import type { RouterContext } from '#pwa/lib/router.tsx'

const Root = () => (
  <Chrome>
    <Outlet />
  </Chrome>
)

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: WentWrong,
  head: ({ match }) => {
    const { name, tagline } = match.context.content.brand
    return { meta: [{ title: name }, { name: 'description', content: tagline }] }
  },
})
