import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { MeasuredLater } from '#pwa/features/privacy/measured-later.tsx'
import { replayEarlyPress } from '#pwa/lib/early-press.ts'
import { whenNewsIsPossible } from '#pwa/lib/first-visit.ts'
import { IconSprite } from '#pwa/ui/icon.tsx'
import { ToastProvider } from '#pwa/ui/toast.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { RouteChange } from './route-change.tsx'

const AppNotices = lazy(() => import('./app-notices.tsx'))

/** Header and footer around every page; its children go inside `<main>`. */
export function Chrome({ children }: { children: ReactNode }) {
  const [mayHaveNews, setMayHaveNews] = useState(false)
  useEffect(() => {
    replayEarlyPress()
    return whenNewsIsPossible(() => setMayHaveNews(true))
  }, [])
  return (
    <ToastProvider>
      <IconSprite />
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Footer />
      <RouteChange />
      <MeasuredLater />
      {mayHaveNews && (
        <Suspense>
          <AppNotices />
        </Suspense>
      )}
    </ToastProvider>
  )
}
