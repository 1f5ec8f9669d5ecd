import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import type { EntryServer, PageData, PageKind, PageState, RenderedPage } from '#shared/contract/page.ts'
import { Chrome } from './features/chrome/chrome.tsx'
import { NotFound } from './features/chrome/not-found.tsx'
import { tiersQuery } from './features/tiers/queries.ts'
import { headOf } from './lib/page-head.ts'
import { createQueryClient } from './lib/query-client.ts'
import { App, type AppRouter, Around, createAppRouter } from './lib/router.tsx'

/** A path that no route has, so that no link is marked as the current one. */
const nowhere = '/-'

const routerAt = (path: string, { content, tiers }: PageData) => {
  const queryClient = createQueryClient()
  queryClient.setQueryData(tiersQuery.queryKey, tiers)
  const history = createMemoryHistory({ initialEntries: [path] })
  return createAppRouter({ queryClient, content }, history)
}

/** The tiers ride along only with pages that show them. */
const stateOf = ({ content, tiers }: PageData, kind: PageKind): PageState => ({
  content,
  answers: kind === 'page' ? [{ key: tiersQuery.queryKey, data: tiers }] : [],
})

/** Renders public pages from one reading of the data. */
export const createPageRenderer: EntryServer['createPageRenderer'] = (data) => {
  const map = routerAt(nowhere, data)
  return {
    kindOf: (path) => kindIn(map, path),
    render: (kind, path) => renderAt(kind, path, data),
    routes: Object.entries(map.routesByPath).map(([path, { options }]) => ({
      path,
      isPublic: options.staticData?.isPublic === true,
    })),
  }
}

const renderAt = async (kind: PageKind, path: string, data: PageData): Promise<RenderedPage> => {
  if (kind !== 'page') return renderFrame(kind, data)
  const router = routerAt(path, data)
  await router.load()
  const { matches } = router.state
  return {
    kind,
    head: headOf(matches),
    html: renderToString(<App router={router} />),
    state: stateOf(data, kind),
    routeIds: matches.map(({ routeId }) => routeId),
  }
}

const kindIn = (router: AppRouter, path: string): PageKind => {
  const [, , found] = router.getMatchedRoutes(path)
  if (!found) return 'missing'
  return found.options.staticData?.isPublic ? 'page' : 'shell'
}

/** Header and footer, with nothing between them or with the page that says there is none. */
const renderFrame = (kind: Exclude<PageKind, 'page'>, data: PageData): RenderedPage => {
  const { name, tagline } = data.content.brand
  const router = routerAt(nowhere, data)
  const html = renderToString(
    <Around router={router}>
      <RouterContextProvider router={router}>
        <Chrome>{kind === 'missing' ? <NotFound /> : <Waiting />}</Chrome>
      </RouterContextProvider>
    </Around>,
  )
  const title = kind === 'missing' ? `404 Page Not Found: ${name}` : name
  return { kind, head: { title, description: tagline }, html, state: stateOf(data, kind), routeIds: [] }
}

/** What stands in a shell until the browser has drawn the page. */
const Waiting = () => (
  <div className="waiting">
    <noscript>
      <p className="wrap">This page needs JavaScript. The public pages work without it.</p>
    </noscript>
  </div>
)
