import type { QueryKey } from '@tanstack/react-query'
import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { postQuery, postsQuery } from '#pwa/features/blog/queries.ts'
import { NoScriptPage } from '#pwa/features/chrome/error-page.tsx'
import { NotFoundPage } from '#pwa/features/chrome/not-found-page.tsx'
import { SiteLayout } from '#pwa/features/chrome/site-layout.tsx'
import { healthKey } from '#pwa/features/health/health-skeleton.tsx'
import { headOf, notFoundTitle } from '#pwa/lib/page-head.ts'
import { createQueryClient } from '#pwa/lib/query-client.ts'
import { pageTextQuery } from '#pwa/lib/text-page.ts'
import type { PageData, PageHead, PageKey, PageKind, PageRenderer, RenderedPage } from '#shared/contract/page.ts'
import { PageName } from '#shared/contract/page-texts.ts'
import { tiersQuery } from './lib/tiers-query.ts'
import { App, AppProviders, type AppRouter, createAppRouter } from './router.tsx'

/** A path no route has, so that no link counts as the current page. */
const nowhere = '/-'

function routerAt(
  path: string,
  { content, texts, tiers, posts, postBySlug, health }: PageData,
  needed: QueryKey[] = [],
): AppRouter {
  const queryClient = createQueryClient()
  queryClient.setQueryData(tiersQuery.queryKey, tiers)
  queryClient.setQueryData(postsQuery.queryKey, posts)
  queryClient.setQueryData(healthKey, health)
  for (const page of PageName.options) queryClient.setQueryData(pageTextQuery(page).queryKey, texts[page])
  const slug = slugIn(path)
  if (slug !== undefined) queryClient.setQueryData(postQuery(slug).queryKey, postBySlug(slug))
  const history = createMemoryHistory({ initialEntries: [path] })
  return createAppRouter({ queryClient, content, needed }, history)
}

const slugIn = (path: string) => path.match(/^\/blog\/([^/]+)$/)?.[1]

export function createPageRenderer(data: PageData): PageRenderer {
  const map = routerAt(nowhere, data)
  const slugs = new Set(data.posts.map(({ slug }) => slug))
  return {
    find: (path) => findIn(map, path, slugs),
    render: async (page, path) =>
      page.kind === 'shell' || page.key === noPage.key ? renderFrame(page.kind, data) : renderAt(page, path, data),
    routes: Object.entries(map.routesByPath).map(([path, { options }]) => ({
      path,
      isPublic: options.staticData?.isPublic === true,
    })),
  }
}

const noPage: PageKey = { kind: 'missing', key: 'missing' }
const noPost: PageKey = { kind: 'missing', key: 'missing post' }

/** A missing post's page is the same whatever its slug: nothing of the path may get into it. */
const noPostPath = '/blog/-'

function findIn(router: AppRouter, path: string, slugs: ReadonlySet<string>): PageKey {
  const [, params, found] = router.getMatchedRoutes(path)
  // The router also matches the parent of an unknown path, with the rest of the path in this parameter.
  if (!found || params['**']) return noPage
  if (!found.options.staticData?.isPublic) return { kind: 'shell', key: 'shell' }
  if (params.slug === undefined) return { kind: 'page', key: path }
  return slugs.has(params.slug) && path === `/blog/${params.slug}` ? { kind: 'page', key: path } : noPost
}

async function renderAt({ kind, key }: PageKey, path: string, data: PageData): Promise<RenderedPage> {
  const needed: QueryKey[] = []
  const router = routerAt(key === noPost.key ? noPostPath : path, data, needed)
  await router.load()
  const { matches } = router.state
  const head = headOf(matches)
  if (head.title === '') throw new Error(`Nothing was rendered at ${path}`)
  const { queryClient } = router.options.context
  return {
    kind,
    head,
    html: renderToString(<App router={router} />),
    state: {
      content: data.content,
      responses: needed.map((key) => ({ key, data: queryClient.getQueryData(key) })),
    },
    routeIds: matches.map(({ routeId }) => routeId),
  }
}

/** Header and footer with, in between, the help for browsers without scripts or the 404 page. */
function renderFrame(kind: PageKind, data: PageData): RenderedPage {
  const { name, tagline } = data.content.brand
  const router = routerAt(nowhere, data)
  const html = renderToString(
    <AppProviders router={router}>
      <RouterContextProvider router={router}>
        <SiteLayout>
          {kind === 'missing' ? (
            <NotFoundPage />
          ) : (
            <div className="waiting">
              <section className="page-section" id="stopped" hidden />
              <NoScriptPage quotient={data.texts.quotient.success.help} />
            </div>
          )}
        </SiteLayout>
      </RouterContextProvider>
    </AppProviders>,
  )
  const title = kind === 'missing' ? notFoundTitle(name) : name
  const head: PageHead = { ...headOf([]), title, description: tagline }
  return { kind, head, html, state: { content: data.content, responses: [] }, routeIds: [] }
}
