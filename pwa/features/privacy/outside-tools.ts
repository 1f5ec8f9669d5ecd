import { isPageReported } from '#pwa/lib/page-views.ts'
import { outsideTools } from '#pwa/lib/privacy-choice.ts'
import type { Measuring } from '#shared/contract/site-content.ts'
import { analyticsPath } from '#shared/rules/analytics-path.ts'

/** What may stand in the query: a choice of ours, and what campaigns put there. */
const harmless = /^(package|utm_\w+|gclid|fbclid)$/

/** An outside script can read the whole address: it must not start while a secret or a person could stand in there. */
const isPrivate = (search: string) => [...new URLSearchParams(search).keys()].some((name) => !harmless.test(name))

/** Loads what is set up, once. Call it only with the visitor's consent. `window.dataLayer` then tells what happens. */
export function startTools(measuring: Measuring) {
  if (globalThis.dataLayer !== undefined || isPrivate(window.location.search)) return
  // A view that is still to be told of comes by itself.
  globalThis.dataLayer = isPageReported() ? [{ event: 'page_view', path: analyticsPath(window.location.pathname) }] : []
  for (const { address } of outsideTools(measuring)) {
    const script = document.createElement('script')
    script.src = address
    script.async = true
    document.head.append(script)
  }
}

/** A script that runs cannot be taken back: what it left in cookies goes, and the page starts again without it. */
export function stopTools() {
  if (globalThis.dataLayer === undefined) return
  globalThis.dataLayer = undefined
  forgetCookies()
  window.location.reload()
}

/** All that scripts can see. Our own are closed to scripts, so none of them is among these. */
function forgetCookies() {
  const labels = window.location.hostname.split('.')
  const domains = ['', ...labels.map((_, place) => `; domain=${labels.slice(place).join('.')}`)]
  for (const cookie of document.cookie.split('; ')) {
    const [name] = cookie.split('=')
    // biome-ignore lint/suspicious/noDocumentCookie: the newer interface is not there in every browser
    for (const domain of domains) document.cookie = `${name}=; max-age=0; path=/${domain}`
  }
}
