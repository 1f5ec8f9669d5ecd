import type { MailKind, MailText } from '#shared/contract/texts/mails.ts'
import { addDays, formatLongDate } from '#shared/rules/london.ts'
import { withVat } from '#shared/rules/money.ts'
import { type Message, paragraph } from './layout.ts'
import {
  accessEndedMail,
  accessEndingMail,
  cardLinkMail,
  paymentFailedMail,
  receiptMail,
  refundMail,
} from './payment.ts'
import { answerMail, questionPublishedMail } from './question.ts'
import { orderReceivedMail } from './quotient-order.ts'
import { renewalMail } from './renewal.ts'
import { endedMail, endingMail, priceMoveMail, resumedMail, tierChangeMail } from './subscription.ts'
import { movedInMail, reactivatedMail, setUpMail, type Welcome, welcomeMail } from './welcome.ts'

/** Puts the owners' texts around the program's. */
export function withOwnersTexts({ subject, heading, blocks }: Message, texts: MailText): Message {
  const said = (text: string) => (text === '' ? [] : [paragraph(text)])
  return {
    subject: texts.subject || subject,
    heading,
    blocks: [...said(texts.opening), ...blocks, ...said(texts.closing)],
  }
}

/** Where a sample's links go, its date, and two tier names. */
export type SampleSite = { url: string; today: string; tiers: readonly [string, string] }

/** An example of each kind of email, for owners editing its text. */
export const sampleMail = (kind: MailKind, site: SampleSite): Message => samples[kind](site)

const firstName = 'Danny'
const [before, after] = [withVat(25_000), withVat(27_500)]
const year = withVat(250_000)
const billingOf = ({ url }: SampleSite) => `${url}/members?tab=billing`

const welcomeOf = ({ url, today, tiers: [tierName] }: SampleSite): Welcome => ({
  firstName,
  tierName,
  membersUrl: `${url}/members`,
  ...before,
  nextPaymentOn: addDays(today, 30),
  setPassword: { url: `${url}/reset-password?token=…`, days: 7, forgotUrl: `${url}/forgot-password` },
  coolingOff: null,
  community: null,
  weeklyCall: addDays(today, 3),
  video: { title: 'The year on one page', url: `${url}/members` },
  coachingCall: { minutes: 30, url: `${url}/book-call` },
})

const changeOf = (site: SampleSite) => ({
  firstName,
  ...after,
  on: addDays(site.today, 30),
  billingUrl: billingOf(site),
  fromName: site.tiers[0],
  toName: site.tiers[1],
})

const owedOf = ({ url, today, tiers: [tierName] }: SampleSite, daysAgo: number, access: string) => ({
  firstName,
  tierName,
  ...before,
  dueOn: addDays(today, -daysAgo),
  payUrl: `${url}/reactivate`,
  stateLine: `Payment due: £300.00. ${access}`,
})

const samples: Record<MailKind, (site: SampleSite) => Message> = {
  welcome: (site) => welcomeMail(welcomeOf(site)),
  reactivated: (site) => reactivatedMail(welcomeOf(site)),
  'set-up': (site) => setUpMail(welcomeOf(site)),
  'moved-in': ({ url }) =>
    movedInMail({
      firstName,
      email: 'danny@example.com',
      siteName: new URL(url).host,
      days: 7,
      url: `${url}/reset-password?token=…`,
      forgotUrl: `${url}/forgot-password`,
    }),
  receipt: (site) =>
    receiptMail({
      firstName,
      number: '2026-0042',
      ...before,
      paidOn: site.today,
      billingUrl: billingOf(site),
      lines: [{ description: site.tiers[0], net: before.net }],
      isMissingAddress: false,
      replaces: null,
      takesPlaceOf: null,
    }),
  'payment-failed': (site) =>
    paymentFailedMail({
      ...owedOf(site, 0, 'You keep your access for now.'),
      isAgain: false,
      isGivenUp: false,
      hasCard: true,
    }),
  'access-ending': (site) => {
    const endsOn = addDays(site.today, 3)
    return accessEndingMail({ ...owedOf(site, 11, `You keep your access until ${formatLongDate(endsOn)}.`), endsOn })
  },
  'access-ended': (site) =>
    accessEndedMail(
      owedOf(
        site,
        14,
        `Your access ended on ${formatLongDate(site.today)}. Pay it and your access comes straight back.`,
      ),
    ),
  'card-link': (site) => cardLinkMail({ firstName, url: billingOf(site) }),
  'tier-change': (site) => tierChangeMail(changeOf(site)),
  'price-move': (site) =>
    priceMoveMail({
      firstName,
      tierName: site.tiers[0],
      before,
      after,
      on: addDays(site.today, 45),
      billingUrl: billingOf(site),
    }),
  renewal: (site) =>
    renewalMail({
      firstName,
      tierName: site.tiers[0],
      next: { on: addDays(site.today, 30), ...year, fromCredit: 0, due: year.total },
      period: { months: 12 },
      change: null,
      billingUrl: billingOf(site),
    }),
  ending: (site) =>
    endingMail({
      firstName,
      tierName: site.tiers[0],
      endsOn: addDays(site.today, 20),
      billingUrl: billingOf(site),
      cancelledAt: `${site.today}T09:00:00.000Z`,
      isOwing: false,
      triesCard: false,
      takesMore: false,
      last: null,
      stateLine: `Paid until ${formatLongDate(addDays(site.today, 20))}. You keep your access until then. We won’t take another payment.`,
    }),
  resumed: (site) =>
    resumedMail({
      firstName,
      tierName: site.tiers[0],
      billingUrl: billingOf(site),
      stateLine: `Paid until ${formatLongDate(addDays(site.today, 20))}. Then we’ll take £300.00 for the next month.`,
    }),
  ended: (site) =>
    endedMail({
      firstName,
      tierName: site.tiers[0],
      endedOn: site.today,
      cause: 'asked',
      promisedUntil: null,
      lastDue: 0,
      returnUrl: `${site.url}/reactivate`,
    }),
  refund: (site) =>
    refundMail({
      firstName,
      amount: before.total,
      refundedOn: site.today,
      creditNote: { number: 'CN-2026-0003', invoiceNumber: '2026-0042' },
    }),
  answer: ({ url, today }) =>
    answerMail({
      firstName,
      coach: null,
      askedAt: `${addDays(today, -1)}T09:00:00.000Z`,
      about: 'The year on one page',
      url: `${url}/members/questions/…`,
      voice: null,
      answer: null,
    }),
  published: ({ url }) => questionPublishedMail({ firstName, video: 'The year on one page', url: `${url}/members` }),
  'quotient-order': (site) =>
    orderReceivedMail({
      id: '019a1ff7-0637-7465-a37d-f10690683bd6',
      firstName,
      lastName: 'Marsh',
      email: 'danny@example.com',
      businessName: 'Marsh Heating',
      packageName: 'Essentials',
      paidAt: site.today,
      typed: [],
      ...withVat(49_700),
      steps: ['We’ll ring you.', 'We’ll set it up.', 'You check it.', 'You send your first quote.'],
      help: { email: 'help@example.com', phone: '01632 960000', response: '2-4 hours', hours: '9 AM-6 PM' },
    }),
}
