import type { ReactivationLinkQuery } from '#shared/contract/reactivation.ts'

/** What a signed link carries in its address. */
export type LinkSearch = Partial<ReactivationLinkQuery>

/** Whole, as the server reads it. */
export const toQuery = (link: LinkSearch): ReactivationLinkQuery => ({
  email: '',
  lastPayment: '',
  name: '',
  expires: '',
  signature: '',
  ...link,
})

const names = ['email', 'lastPayment', 'name', 'expires', 'signature'] as const

export function readLinkSearch(search: Record<string, unknown>): LinkSearch {
  const link: LinkSearch = {}
  for (const name of names) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') link[name] = value
  }
  return link
}
