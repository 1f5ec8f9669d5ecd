import type { ReactivationLinkQuery } from '#shared/contract/reactivation.ts'

export type LinkSearch = Partial<ReactivationLinkQuery>

export const readLinkSearch = (search: Record<string, unknown>): LinkSearch =>
  pickTexts(search, ['email', 'lastPayment', 'name', 'expires', 'signature'])

/** The server requires every parameter, even if empty. */
export const toLinkQuery = (link: LinkSearch): ReactivationLinkQuery => ({
  email: '',
  lastPayment: '',
  name: '',
  expires: '',
  signature: '',
  ...link,
})

/** What Stripe adds to the address of the page it returns to. */
export type ReturnSearch = { payment_intent?: string; setup_intent?: string; redirect_status?: string }

export const readReturnSearch = (search: Record<string, unknown>): ReturnSearch =>
  pickTexts(search, ['payment_intent', 'setup_intent', 'redirect_status'])

function pickTexts<Name extends string>(search: Record<string, unknown>, names: readonly Name[]) {
  const texts: { [name in Name]?: string } = {}
  for (const name of names) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') texts[name] = value
  }
  return texts
}
