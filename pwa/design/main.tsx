/** /design, in development only: every part of the design system in every state. No build contains it. */
// First, because it sets the order of the layers.
import '#pwa/site.css'

import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient, readPageState } from '#pwa/lib/query-client.ts'
import { SiteContentProvider } from '#pwa/lib/site-content.tsx'
import { pageTextQuery } from '#pwa/lib/text-page.ts'
import { tiersQuery } from '#pwa/lib/tiers-query.ts'
import { IconSprite } from '#pwa/ui/icon.tsx'
import { ToastProvider } from '#pwa/ui/toast.tsx'
import type { HomeText } from '#shared/contract/texts/home.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'
import { Controls } from './controls.tsx'
import { Foundations } from './foundations.tsx'
import { MembersParts } from './members-parts.tsx'
import { PageParts } from './page-parts.tsx'
import { States } from './states.tsx'
import { StatusParts } from './status-parts.tsx'
import './design.css'

const groups = ['Foundations', 'Controls', 'Facts', 'States', 'Members area', 'Pages']

const DesignPage = ({ tiers, home }: { tiers: MembershipTier[]; home: HomeText }) => (
  <main className="wrap design" id="main">
    <h1>Design system</h1>
    <p className="lead">
      Every part in every state, by day and by night. Hover, press and tab through them: those states are the browser’s
      own.
    </p>
    <nav className="design__index" aria-label="Groups">
      {groups.map((name) => (
        <a key={name} className="link link--tap" href={`#${name.toLowerCase().replaceAll(' ', '-')}`}>
          {name}
        </a>
      ))}
    </nav>
    <Foundations />
    <Controls />
    <StatusParts />
    <States />
    <MembersParts />
    <PageParts tiers={tiers} home={home} />
  </main>
)

const queryClient = createQueryClient()
const [tiers, home] = await Promise.all([
  queryClient.fetchQuery(tiersQuery),
  queryClient.fetchQuery(pageTextQuery('home')),
])

// The parts' links need a router. This one has a single page, so they lead nowhere.
const routeTree = createRootRoute({ component: () => <DesignPage tiers={tiers} home={home} /> })
const router = createRouter({
  routeTree,
  history: createMemoryHistory({ initialEntries: ['/'] }),
  defaultNotFoundComponent: () => null,
})

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <SiteContentProvider content={readPageState().content}>
          <ToastProvider>
            <IconSprite />
            <RouterProvider router={router} />
          </ToastProvider>
        </SiteContentProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
