/** What somebody left for his bank's page for. */
export const errands = ['pay', 'card'] as const
export type Errand = (typeof errands)[number]

/** How it ended there, as far as the address says. */
export type Returned = { errand: Errand; hasFailed: boolean }

/** Where the bank's page leads back to. */
export const returnPathOf = (errand: Errand) => `/members?tab=billing&errand=${errand}`

export const refusedByBank: Record<Errand, { title: string; text: string }> = {
  pay: {
    title: 'Your bank did not confirm the payment',
    text: 'Nothing has been taken. Try again, or use another card.',
  },
  card: { title: 'Your bank did not confirm the card', text: 'Your card stays as it was. Try again, or use another.' },
}
