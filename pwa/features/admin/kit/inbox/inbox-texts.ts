import { businessStageLabels } from '#shared/contract/application.ts'
import { applicationLabels } from '#shared/contract/application-labels.ts'
import { callWithin } from '#shared/contract/call-kind.ts'
import {
  bookingLabels,
  coachingApplicationLabels,
  coachingChoices,
  contactLabels,
} from '#shared/contract/form-labels.ts'
import type { InboxKind } from '#shared/contract/inbox.ts'
import type {
  AdminApplication,
  AdminBooking,
  AdminCoachingApplication,
  ContactRecord,
} from '#shared/contract/inbox-entries.ts'
import type { AdminQuotientOrder } from '#shared/contract/quotient.ts'
import { quotientLabels, vatRegistrationLabels } from '#shared/contract/quotient.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { answersOf } from '#shared/rules/form-answers.ts'
import { formatLongDate, formatMoment } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { quotientInvoiceLines } from '#shared/rules/quotient-setups.ts'

export type About = { kind: InboxKind; id: string; email: string; tierSlug?: TierSlug }

/** The entry’s dialog leaves out rows without a value. */
export type Fact = readonly [label: string, value: string | number | null | undefined]

export const statusLabels = {
  pending: 'Pending',
  contacted: 'Contacted',
  approved: 'Approved',
  rejected: 'Rejected',
  scheduled: 'Scheduled',
  completed: 'Completed',
  cancelled: 'Cancelled',
  'no-show': 'No-show',
  paid: 'Paid',
  refunded: 'Refunded',
}

export const receivedAt = (at: string) => formatMoment(at)

export const applicationFacts = (row: AdminApplication, tierName: string): Fact[] => [
  ...answersOf(applicationLabels, row, { businessStage: businessStageLabels }),
  ['Tier', tierName],
  ['Received', receivedAt(row.createdAt)],
]

/** Without the sender, who stands above them. */
const { name: _n, email: _e, phone: _p, ...coachingLabels } = coachingApplicationLabels

export const coachingFacts = (row: AdminCoachingApplication): Fact[] => [
  ...answersOf(coachingLabels, { ...row, trade: row.tradeName }, coachingChoices),
  ['Received', receivedAt(row.createdAt)],
]

const { name: _name, email: _email, ...messageLabels } = contactLabels

export const contactFacts = (row: ContactRecord): Fact[] => [
  ...answersOf(messageLabels, row),
  ['Received', receivedAt(row.createdAt)],
]

/** A call asked for by form has the day they'd like, and no time until one's agreed. */
export const callOf = ({ bookingDate, startsAt, kind, duration, status }: AdminBooking) =>
  startsAt === null || kind === null
    ? `${formatLongDate(bookingDate)}, ${duration} minutes${status === 'scheduled' ? ', time still to agree' : ''}`
    : `${formatMoment(startsAt)}, ${duration} minutes, ${callWithin(kind)}`

export const bookingFacts = (row: AdminBooking): Fact[] => [
  ['Call', row.timeZone === 'Europe/London' ? callOf(row) : `${callOf(row)}, ${row.timeZone}`],
  ['Coach', row.coachName],
  [bookingLabels.notes, row.notes],
  ...bookerFacts(row),
]

export const bookerFacts = ({ businessName, tradeName, createdAt }: AdminBooking): Fact[] => [
  [bookingLabels.businessName, businessName],
  [bookingLabels.trade, tradeName],
  ['Received', receivedAt(createdAt)],
]

export const setUpText = ({ setUpOn }: Pick<AdminQuotientOrder, 'setUpOn'>) =>
  setUpOn === null ? 'To set up' : `Set up on ${formatLongDate(setUpOn)}`

const addressOf = ({ address }: AdminQuotientOrder) =>
  address && [address.line1, address.line2, address.town, address.postcode, address.country].filter(Boolean).join('\n')

export const orderFacts = (row: AdminQuotientOrder): Fact[] => [
  ['Setup', quotientInvoiceLines[row.packageType]],
  ['Price', `${formatPoundsAndPence(row.total)} (${formatPoundsAndPence(row.net)} + VAT)`],
  ['Paid', row.paidAt && receivedAt(row.paidAt)],
  [quotientLabels.businessName, row.businessName],
  [quotientLabels.tradeType, row.tradeName],
  [quotientLabels.preferredManufacturer, row.manufacturerName],
  [quotientLabels.warrantyBoostPrice, row.warrantyBoostPrice],
  [quotientLabels.cheapestCarePlanPrice, row.cheapestCarePlanPrice],
  [quotientLabels.generalHourlyRate, row.generalHourlyRate],
  [quotientLabels.generalInstallRate, row.generalInstallRate],
  [quotientLabels.generalDayRate, row.generalDayRate],
  [quotientLabels.vatRegistered, row.vatRegistered && vatRegistrationLabels[row.vatRegistered]],
  [quotientLabels.additionalRequirements, row.additionalRequirements],
  ['Address', addressOf(row)],
  ['Ordered', receivedAt(row.createdAt)],
]
