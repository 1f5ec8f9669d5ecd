import { type RegisteredRouter, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isPageReported, onPageView } from '#pwa/lib/page-views.ts'
import { outsideTools, type PrivacyChoice } from '#pwa/lib/privacy-choice.ts'
import type { Measuring } from '#shared/contract/site-content.ts'
import { analyticsPath } from '#shared/values/analytics-path.ts'

/**
 * Loads third-party tools or not, as the visitor chose. They start only on public pages: logging in, paying and the members' area
 * are nobody else's business.
 */
export function useOutsideTools(measuring: Measuring, choice: PrivacyChoice) {
  const router = useRouter()
  useEffect(() => {
    if (choice !== 'agreed') return stopTools()
    const startHere = () => {
      if (router.state.matches.at(-1)?.staticData.isPublic) startTools(measuring)
    }
    startHere()
    // After every other listener: a tool that starts with a view already begins with it, and mustn't get it twice.
    const stopListening = onPageView(() => queueMicrotask(startHere))
    const stopLoading = loadOtherKind(router)
    return () => {
      stopListening()
      stopLoading()
    }
  }, [choice, measuring, router])
}

/** Where people log in, and everything behind it. */
const closedPath = /^\/(admin|dashboard|forgot-password|login|members|profile|reset-password|view-member)(\/|$)/

/** Whether the server sent this document as a public page: the CSP of any other allows no third-party tool. */
const mayMeasure = () => document.getElementById('root')?.dataset.page === 'page'

/**
 * A running script can't be removed, and would go on reading where people log in. So between a document that allows tools and such
 * a page, in either direction, the browser loads a new document.
 */
function loadOtherKind(router: RegisteredRouter): () => void {
  const isPublic = (path: string) => router.getMatchedRoutes(path)[2]?.options.staticData?.isPublic === true
  return router.history.block({
    enableBeforeUnload: false,
    blockerFn: ({ nextLocation: { pathname, href }, action }) => {
      if (mayMeasure() ? !closedPath.test(pathname) : !isPublic(pathname)) return false
      if (action === 'PUSH') window.location.assign(href)
      else if (action === 'REPLACE') window.location.replace(href)
      // The address is already the next one.
      else window.location.reload()
      // Shows nothing else until it has loaded.
      return new Promise<never>(() => {})
    },
  })
}

/** What's allowed in the query: a choice of ours, and campaign parameters. */
const harmlessParameter = /^(package|utm_\w+|gclid|fbclid)$/

/** A third-party script can read the whole address, so it mustn't start while the query may contain a secret or name a person. */
const isPrivate = (search: string) =>
  [...new URLSearchParams(search).keys()].some((name) => !harmlessParameter.test(name))

/** Loads what's set up, once. Call it only with the visitor's consent. From then on `window.dataLayer` receives the events. */
export function startTools(measuring: Measuring) {
  if (globalThis.dataLayer !== undefined || !mayMeasure() || isPrivate(window.location.search)) return
  // A view we haven't reported yet is added when we do.
  globalThis.dataLayer = isPageReported() ? [{ event: 'page_view', path: analyticsPath(window.location.pathname) }] : []
  for (const { address } of outsideTools(measuring)) {
    const script = document.createElement('script')
    script.src = address
    script.async = true
    document.head.append(script)
  }
}

/** A running script can't be removed, so we delete its cookies and reload the page without it. */
function stopTools() {
  if (globalThis.dataLayer === undefined) return
  globalThis.dataLayer = undefined
  deleteCookies()
  window.location.reload()
}

/** All cookies scripts can see. Our own are HttpOnly, so they aren't among these. */
function deleteCookies() {
  const labels = window.location.hostname.split('.')
  const domains = ['', ...labels.map((_, index) => `; domain=${labels.slice(index).join('.')}`)]
  for (const cookie of document.cookie.split('; ')) {
    const [name] = cookie.split('=')
    // biome-ignore lint/suspicious/noDocumentCookie: the newer interface is not there in every browser
    for (const domain of domains) document.cookie = `${name}=; max-age=0; path=/${domain}`
  }
}
