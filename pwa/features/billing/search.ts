export const bankErrands = ['pay', 'card', 'upgrade'] as const
export type BankErrand = (typeof bankErrands)[number]

export type BankReturn = { errand: BankErrand; hasFailed: boolean }

export const bankReturnPath = (errand: BankErrand) => `/members?tab=billing&errand=${errand}`
