import { type RegisteredRouter, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isPageReported, onPageView } from '#pwa/lib/page-views.ts'
import { outsideTools, type PrivacyChoice } from '#pwa/lib/privacy-choice.ts'
import type { Measuring } from '#shared/contract/site-content.ts'
import { analyticsPath } from '#shared/rules/analytics-path.ts'

/**
 * Loads the outside tools, or keeps them out, as the visitor chose. They start on public pages alone: logging in, paying and
 * the members' area are nobody else's business.
 */
export function useOutsideTools(measuring: Measuring, choice: PrivacyChoice) {
  const router = useRouter()
  useEffect(() => {
    if (choice !== 'agreed') return stopTools()
    const startHere = () => {
      if (router.state.matches.at(-1)?.staticData.isPublic) startTools(measuring)
    }
    startHere()
    // After every other listener: a tool that starts with a view already begins with it, and must not be told of it twice.
    const stopListening = onPageView(() => queueMicrotask(startHere))
    const stopLoading = loadOtherKind(router)
    return () => {
      stopListening()
      stopLoading()
    }
  }, [choice, measuring, router])
}

/** Where people log in, and all that is behind it. */
const closedPath = /^\/(admin|dashboard|forgot-password|login|members|profile|reset-password|view-member)(\/|$)/

/** Whether the server sent this document as a public page: the policy of every other one allows no outside tool. */
const mayMeasure = () => document.getElementById('root')?.dataset.page === 'page'

/**
 * A running script cannot be taken back, and would read on where people log in: from a document that may measure to there, and
 * from any other one to a public page, the browser loads the next page as a document of its own.
 */
function loadOtherKind(router: RegisteredRouter): () => void {
  const isPublic = (path: string) => router.getMatchedRoutes(path)[2]?.options.staticData?.isPublic === true
  return router.history.block({
    enableBeforeUnload: false,
    blockerFn: ({ nextLocation: { pathname, href }, action }) => {
      if (mayMeasure() ? !closedPath.test(pathname) : !isPublic(pathname)) return false
      if (action === 'PUSH') window.location.assign(href)
      else if (action === 'REPLACE') window.location.replace(href)
      // The address is the next one already.
      else window.location.reload()
      // Nothing else is shown until it has come.
      return new Promise<never>(() => {})
    },
  })
}

/** What may stand in the query: a choice of ours, and what campaigns put there. */
const harmlessParameter = /^(package|utm_\w+|gclid|fbclid)$/

/** An outside script can read the whole address, so it must not start while the query may hold a secret or name a person. */
const isPrivate = (search: string) =>
  [...new URLSearchParams(search).keys()].some((name) => !harmlessParameter.test(name))

/** Loads what is set up, once. Call it only with the visitor's consent. From then on `window.dataLayer` takes the events. */
export function startTools(measuring: Measuring) {
  if (globalThis.dataLayer !== undefined || !mayMeasure() || isPrivate(window.location.search)) return
  // A view that is not reported yet is added when it is.
  globalThis.dataLayer = isPageReported() ? [{ event: 'page_view', path: analyticsPath(window.location.pathname) }] : []
  for (const { address } of outsideTools(measuring)) {
    const script = document.createElement('script')
    script.src = address
    script.async = true
    document.head.append(script)
  }
}

/** A running script cannot be taken back: its cookies are deleted, and the page starts again without it. */
function stopTools() {
  if (globalThis.dataLayer === undefined) return
  globalThis.dataLayer = undefined
  deleteCookies()
  window.location.reload()
}

/** All that scripts can see. Our own cookies are closed to scripts, so none of them is among these. */
function deleteCookies() {
  const labels = window.location.hostname.split('.')
  const domains = ['', ...labels.map((_, place) => `; domain=${labels.slice(place).join('.')}`)]
  for (const cookie of document.cookie.split('; ')) {
    const [name] = cookie.split('=')
    // biome-ignore lint/suspicious/noDocumentCookie: the newer interface is not there in every browser
    for (const domain of domains) document.cookie = `${name}=; max-age=0; path=/${domain}`
  }
}
