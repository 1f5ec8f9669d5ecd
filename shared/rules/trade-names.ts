import { bookingTradeKeys, bookingTrades, type coachingTrades } from '#shared/contract/form-labels.ts'
import type { AllContent } from '#shared/contract/site-content.ts'
import type { BookCoachingCallText } from '#shared/contract/texts/book-coaching-call.ts'

/** The booking form's choices: what's stored, and the content's name for it. */
export const bookingTradeNames = (names: BookCoachingCallText['trades']): Record<string, string> =>
  Object.fromEntries(bookingTradeKeys.map((key, index) => [bookingTrades[index], names[key]]))

/** The three forms' trades by what's stored, as the content names them now. */
export const tradeNamesOf = ({ pages }: AllContent) => ({
  coaching: pages['coaching-application'].trades satisfies Record<(typeof coachingTrades)[number], string>,
  booking: bookingTradeNames(pages['book-coaching-call'].trades),
  quotient: pages.quotient.checkout.trades,
  manufacturers: pages.quotient.checkout.manufacturers,
})
