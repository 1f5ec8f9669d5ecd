/** Every page that has one address. */
const pages = new Set([
  ...['/', '/about', '/accessibility', '/blog', '/book-call', '/book-coaching-call', '/cancellation', '/catch-up'],
  ...['/coaching', '/coaching-application', '/contact', '/cookies', '/dashboard', '/forgot-password', '/health'],
  ...['/login', '/members', '/membership-application', '/membership-success', '/membership-tiers', '/podcast'],
  ...['/privacy', '/quotient', '/quotient/checkout', '/quotient/success', '/reactivate', '/reactivate-delayed'],
  ...['/reset-password', '/sales-lion', '/servicem8', '/terms', '/website-builds'],
])

/** What is visited under an address that no page of ours has. */
export const otherPage = 'other'

/**
 * The name under which a visited address is counted; null for owners' pages, which are not. There are only so many names,
 * whatever addresses are sent: those of the members' pages below `/members`, and of a post where `hasPost` knows it.
 */
export function countedPage(path: string, hasPost: (slug: string) => boolean): string | null {
  if (/^\/(admin|view-member)(\/|$)/.test(path)) return null
  if (pages.has(path)) return path
  if (path.startsWith('/members/videos/')) return '/members/videos'
  if (path.startsWith('/members/')) return '/members'
  const slug = /^\/blog\/([^/]+)$/.exec(path)?.[1]
  return slug !== undefined && hasPost(slug) ? path : otherPage
}

/** The public forms, by the page that each is on; as they are named where they are sent. */
export const countedForms: Readonly<Record<string, string>> = {
  '/contact': 'contact',
  '/coaching-application': 'coaching-application',
  '/book-coaching-call': 'coaching-booking',
  '/membership-application': 'membership',
}
