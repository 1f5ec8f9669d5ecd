import { isPersonal } from '#shared/values/analytics-path.ts'

/** Sites with many addresses, matched by host. */
const knownSites: readonly (readonly [name: string, host: RegExp])[] = [
  ['google', /(^|\.)google(\.[a-z]{2,3}){1,2}$|^com\.google\./],
  ['bing', /(^|\.)bing\.com$/],
  ['duckduckgo', /(^|\.)duckduckgo\.com$/],
  ['yahoo', /(^|\.)yahoo(\.[a-z]{2,3}){1,2}$/],
  ['ecosia', /(^|\.)ecosia\.org$/],
  ['facebook', /(^|\.)(facebook\.com|fb\.me|messenger\.com)$|^com\.facebook\./],
  ['instagram', /(^|\.)instagram\.com$/],
  ['youtube', /(^|\.)(youtube\.com|youtu\.be)$/],
  ['linkedin', /(^|\.)(linkedin\.com|lnkd\.in)$/],
  ['x', /(^|\.)(twitter\.com|x\.com|t\.co)$/],
  ['tiktok', /(^|\.)tiktok\.com$/],
  ['whatsapp', /(^|\.)(whatsapp\.com|wa\.me)$/],
  ['reddit', /(^|\.)reddit\.com$/],
]

export const directSource = 'direct'
export const otherSource = 'other'

/** A longer name isn't one an owner would recognise in a list. */
const longest = 60

/**
 * Where a visit came from, as we count it: `direct`, a site's name or host, or a campaign's name, never a path or a query. `from`
 * is the referrer's address, the campaign's name, or empty. Null if the referrer is one of our pages, because that isn't a new
 * visit.
 */
export function visitSource(from: string, ownHost: string): string | null {
  if (from === '') return directSource
  const host = hostOf(from)
  if (host === ownHost.toLowerCase()) return null
  const name = host ?? from.trim().toLowerCase()
  const known = knownSites.find(([site, pattern]) => site === name || (host !== null && pattern.test(host)))
  return known?.[0] ?? (isPlain(name, host !== null) ? name.replace(/^www\./, '') : otherSource)
}

function hostOf(from: string): string | null {
  if (!from.includes('://')) return null
  try {
    return new URL(from).host.toLowerCase()
  } catch {
    return ''
  }
}

function isPlain(name: string, isHost: boolean): boolean {
  if (name.length > longest || isPersonal(name)) return false
  return isHost ? /^([a-z0-9-]+\.)+[a-z]{2,}$/.test(name) : /^[a-z0-9][a-z0-9_.-]*$/.test(name)
}

/** Every page with a fixed address. */
const pages = new Set([
  ...['/', '/about', '/accessibility', '/blog', '/book-call', '/book-coaching-call', '/cancellation', '/catch-up'],
  ...['/coaching', '/coaching-application', '/contact', '/cookies', '/dashboard', '/forgot-password', '/health'],
  ...['/login', '/members', '/membership-application', '/membership-success', '/membership-tiers', '/podcast'],
  ...['/privacy', '/quotient', '/quotient/checkout', '/quotient/success', '/reactivate', '/reactivate-delayed'],
  ...['/reset-password', '/sales-lion', '/servicem8', '/terms', '/website-builds'],
])

export const otherPage = 'other'

/**
 * The name we count a visited address under; null for owners' pages, which we don't count. The names are limited, whatever
 * addresses people send: members' pages below `/members` share theirs, and a post needs `hasPost` to know it.
 */
export function countedPage(path: string, hasPost: (slug: string) => boolean): string | null {
  if (/^\/(admin|view-member)(\/|$)/.test(path)) return null
  if (pages.has(path)) return path
  if (path.startsWith('/members/videos/')) return '/members/videos'
  if (path.startsWith('/members/')) return '/members'
  const slug = /^\/blog\/([^/]+)$/.exec(path)?.[1]
  return slug !== undefined && hasPost(slug) ? path : otherPage
}

/** The public forms by the page each is on, under the names they're sent with. */
export const countedForms: Readonly<Record<string, string>> = {
  '/contact': 'contact',
  '/coaching-application': 'coaching-application',
  '/book-coaching-call': 'coaching-booking',
  '/membership-application': 'membership',
}
