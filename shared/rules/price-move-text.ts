import type { PriceMoveMember, StaysReason } from '#shared/contract/admin-tier.ts'
import { formatLongDate } from './london.ts'

const staysTexts: Record<StaysReason, string> = {
  moving: 'Stays: told of a price already',
  ending: 'Stays: the membership is set to end',
  arrears: 'Stays: a payment is due',
  paused: 'Stays: the membership is paused',
  revoked: 'Stays: you ended the access',
  leaving: 'Stays: another tier is booked',
  mail_refused: 'Stays: mail to them was refused',
  no_account: 'Stays: the account was removed',
}

/** What a new price of the tier means for one of its members, if they are moved. */
export const outcomeText = ({ on, stays, isBooked }: PriceMoveMember) => {
  if (stays !== null) return staysTexts[stays]
  return `From ${formatLongDate(on ?? '')}${isBooked ? ', after the tier they have booked' : ''}`
}
