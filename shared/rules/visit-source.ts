import { isPersonal } from './analytics-path.ts'

/** Sites that have many addresses, by what their host looks like. */
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

/** Longer names are no site that anybody would recognise in a list. */
const longest = 60

/**
 * Where a visit came from, as it is counted: `direct`, a site's name or host, or a campaign's word, never a path or a query.
 * `from` is the address of the page before, the campaign's word, or empty. Null where that page was one of ours, so that no
 * new visit began.
 */
export function visitSource(from: string, ownHost: string): string | null {
  if (from === '') return directSource
  const host = hostOf(from)
  if (host === ownHost.toLowerCase()) return null
  const name = host ?? from.trim().toLowerCase()
  const known = knownSites.find(([site, pattern]) => site === name || (host !== null && pattern.test(host)))
  return known?.[0] ?? (isPlain(name, host !== null) ? name.replace(/^www\./, '') : otherSource)
}

/** Null for a campaign's word. */
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
