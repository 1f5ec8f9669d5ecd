import { useRouter } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { Analytics } from '#pwa/features/privacy/analytics.tsx'
import { lazyExtra } from '#pwa/lib/lazy-extra.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import { headOf } from '#pwa/lib/page-head.ts'
import { reportPageView, whenUpdatesArePossible } from '#pwa/lib/page-views.ts'
import { useViewingAs } from '#pwa/lib/viewing-as-flag.ts'
import { IconSprite } from '#pwa/ui/icon.tsx'
import { ToastProvider } from '#pwa/ui/toast.tsx'
import { Header } from './header.tsx'
import { SiteBody, useFrame } from './site-body.tsx'

const ViewingAs = lazy(async () => ({
  default: (await loadFile(() => import('#pwa/features/viewing-as/viewing-as.tsx'))).ViewingAsSection,
}))

/** Loads only for an owner who's viewing the site as a member. */
function LazyViewingAs() {
  const viewed = useViewingAs()
  return (
    viewed && (
      <Suspense>
        <ViewingAs viewed={viewed} />
      </Suspense>
    )
  )
}

const AppNotices = lazyExtra(() => import('./app-notices.tsx'))

export function SiteLayout({ children }: { children: ReactNode }) {
  const frame = useFrame()
  const [mayHaveNotices, setMayHaveNotices] = useState(false)
  // With the commit that makes the menus React's: a press a moment later mustn't reach both.
  useLayoutEffect(() => globalThis.stopMenus?.(), [])
  useEffect(() => {
    replayEarlyClick()
    return whenUpdatesArePossible(() => setMayHaveNotices(true))
  }, [])
  return (
    <ToastProvider>
      <IconSprite />
      <a className="skip" href="#main">
        Skip to content
      </a>
      <LazyViewingAs />
      {(frame === 'site' || frame === 'members') && <Header />}
      {frame === 'site' ? <SiteBody>{children}</SiteBody> : children}
      <RouteAnnouncer />
      <AnalyticsOnceStarted />
      {mayHaveNotices && (
        <Suspense>
          <AppNotices />
        </Suspense>
      )}
    </ToastProvider>
  )
}

function AnalyticsOnceStarted() {
  const [hasStarted, setStarted] = useState(false)
  useEffect(() => setStarted(true), [])
  return hasStarted && <Analytics />
}

/** On each route change: scrolls to the top, moves the focus to the page, announces its title, reports the view. */
export function RouteAnnouncer() {
  const router = useRouter()
  const [announced, announce] = useState('')
  useEffect(() => {
    reportPageView(window.location.pathname)
    // A page the browser renders came with the shell's head, so this sets its title first.
    updateHead(router.state.matches)
    return router.subscribe('onRendered', ({ fromLocation, pathChanged, toLocation }) => {
      const title = updateHead(router.state.matches)
      if (!fromLocation || !pathChanged) return
      moveTo(toLocation.hash)
      announce(title)
      reportPageView(toLocation.pathname)
    })
  }, [router])
  return (
    <p className="vh" role="status">
      {announced}
    </p>
  )
}

function updateHead(matches: Parameters<typeof headOf>[0]): string {
  const { title, description } = headOf(matches)
  document.title = title
  document.querySelector('meta[name="description"]')?.setAttribute('content', description)
  return title
}

function moveTo(hash: string) {
  delete document.documentElement.dataset.arrival
  window.scrollTo({ top: 0, behavior: 'instant' })
  if (hash) document.getElementById(hash)?.scrollIntoView()
  else document.getElementById('main')?.focus({ preventScroll: true })
}

declare global {
  /** Set by the page's own script once it has counted the view. */
  var isViewCounted: boolean | undefined
  /** Set by the same script: when the page was last being left, as `performance.now()` gives it. */
  var departedAt: number | undefined
  /** Set by the script that starts the app. */
  var earlyClick: HTMLButtonElement | undefined
  /** Defined until the app has hydrated the page, which it does once someone presses, types or scrolls. */
  var stopCapturingClicks: (() => void) | undefined
  /** Set by the script in the document's head, which opens and closes the menus until the one at its end does. */
  var stopEarlyPresses: (() => void) | undefined
  /** Defined while the page's own script opens and closes the menus. */
  var stopMenus: (() => void) | undefined
  /** For an app that can't start: the page works as it does without scripts. */
  var doWithoutApp: (() => void) | undefined
  /** In a page that only the browser can render: says why it doesn't come. */
  var showStopped: (() => void) | undefined
}

export function replayEarlyClick(): void {
  globalThis.stopCapturingClicks?.()
  const button = globalThis.earlyClick
  globalThis.earlyClick = undefined
  if (button) setTimeout(() => clickOnceHydrated(button))
}

/** A part of the page may hydrate later than the rest; React marks each element it has hydrated. */
function clickOnceHydrated(button: HTMLButtonElement): void {
  if (Object.keys(button).some((key) => key.startsWith('__reactProps'))) {
    button.removeAttribute('aria-busy')
    button.click()
  } else if (button.isConnected) setTimeout(() => clickOnceHydrated(button), 16)
}
