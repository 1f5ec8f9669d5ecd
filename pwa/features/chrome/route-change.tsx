import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { headOf } from '#pwa/lib/page-head.ts'
import { reportPageView } from '#pwa/lib/page-views.ts'

/** On each change of route: to the top, focus to the page's start, its title said aloud, the view reported. */
export function RouteChange() {
  const router = useRouter()
  const [said, say] = useState('')
  useEffect(() => {
    reportPageView(window.location.pathname)
    // What the browser renders by itself came with the shell's head, and is there before anything is announced.
    nameDocument(router.state.matches)
    return router.subscribe('onRendered', ({ fromLocation, pathChanged, toLocation }) => {
      const title = nameDocument(router.state.matches)
      if (!fromLocation || !pathChanged) return
      arriveAt(toLocation.hash)
      say(title)
      reportPageView(toLocation.pathname)
    })
  }, [router])
  return (
    <p className="vh" role="status">
      {said}
    </p>
  )
}

function nameDocument(matches: Parameters<typeof headOf>[0]): string {
  const { title, description } = headOf(matches)
  document.title = title
  document.querySelector('meta[name="description"]')?.setAttribute('content', description)
  return title
}

function arriveAt(hash: string) {
  window.scrollTo({ top: 0, behavior: 'instant' })
  if (hash) document.getElementById(hash)?.scrollIntoView()
  else document.getElementById('main')?.focus({ preventScroll: true })
}
