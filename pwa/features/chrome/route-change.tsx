import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { headOf } from '#pwa/lib/page-head.ts'
import { reportPageView } from '#pwa/lib/page-views.ts'

/** On each change of route: to the top, focus to the page's start, its title said aloud, the view reported. */
export const RouteChange = () => {
  const router = useRouter()
  const [said, say] = useState('')
  useEffect(() => {
    reportPageView(window.location.pathname)
    return router.subscribe('onRendered', ({ fromLocation, pathChanged, toLocation }) => {
      const { title, description } = headOf(router.state.matches)
      document.title = title
      document.querySelector('meta[name="description"]')?.setAttribute('content', description)
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

const arriveAt = (hash: string) => {
  window.scrollTo({ top: 0, behavior: 'instant' })
  if (hash) document.getElementById(hash)?.scrollIntoView()
  else document.getElementById('main')?.focus({ preventScroll: true })
}
