import { useRouter } from '@tanstack/react-router'
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
    return onPageView(() => queueMicrotask(startHere))
  }, [choice, measuring, router])
}

/** What may stand in the query: a choice of ours, and what campaigns put there. */
const harmlessParameter = /^(package|utm_\w+|gclid|fbclid)$/

/** An outside script can read the whole address, so it must not start while the query may hold a secret or name a person. */
const isPrivate = (search: string) =>
  [...new URLSearchParams(search).keys()].some((name) => !harmlessParameter.test(name))

/** Loads what is set up, once. Call it only with the visitor's consent. From then on `window.dataLayer` takes the events. */
export function startTools(measuring: Measuring) {
  if (globalThis.dataLayer !== undefined || isPrivate(window.location.search)) return
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
