/** Why we sent the member to their bank's page. */
export const bankErrands = ['pay', 'card', 'upgrade'] as const
export type BankErrand = (typeof bankErrands)[number]

/** What the address says after the return from the bank's page. */
export type BankReturn = { errand: BankErrand; hasFailed: boolean }

export const bankReturnPath = (errand: BankErrand) => `/members?tab=billing&errand=${errand}`
