/**
 * Runs in the document's head before the first paint: light or dark, as the visitor chose or as the device is set; and in
 * the members' area the hand of the site mode.
 */
function chosen(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

const root = document.documentElement
const isDark = matchMedia('(prefers-color-scheme: dark)').matches
root.dataset.theme = chosen('theme') ?? (isDark ? 'dark' : 'light')
if (location.pathname.startsWith('/members') && chosen('site-mode')) root.dataset.site = chosen('site-hand') ?? 'right'

/** The browser's own bar is the brand's accent by day, and by night as dark as the top of the page, also where the member chose it. */
const bar = document.querySelector<HTMLMetaElement>('meta[name=theme-color]')
if (bar !== null) {
  const accent = bar.content
  const paint = () => bar.setAttribute('content', root.dataset.theme === 'dark' ? '#151612' : accent)
  paint()
  new MutationObserver(paint).observe(root, { attributeFilter: ['data-theme'] })
}

export {}
