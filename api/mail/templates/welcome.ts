import { formatLongDate, weekdayName } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Bill, type Block, billOf, greeting, labelsEvery, type Message, paragraph, type Step } from './layout.ts'

/** Amounts are of one period, a month unless `months` says otherwise. */
export type Welcome = MembersAreaAccess &
  Bill & {
    firstName: string | null
    tierName: string
    /** A day, or an instant of the billing clock. */
    nextPaymentOn?: string | undefined
    /** Null if consumers can't join. */
    coolingOff: CoolingOff | null
  } & FirstSteps

/** Suggested first steps. Null for what isn't set up. */
export type FirstSteps = {
  /** The first in the members' order. */
  video: { title: string; url: string } | null
  community: string | null
  /** The day of the next weekly call in the community. */
  weeklyCall: string | null
  /** The length of the tier's calls, and where to book them. */
  coachingCall: { minutes: number; url: string } | null
}

/** A consumer's right to cancel, which the law wants in a durable medium. */
export type CoolingOff = {
  /** The last of the 14 days, YYYY-MM-DD. */
  until: string
  /** The page with the full text. */
  url: string
  /** Empty if the business has none. */
  email: string
  /** The lines of the statutory model form. */
  form: readonly string[]
}

function coolingOffBlocks(coolingOff: CoolingOff | null): Block[] {
  if (coolingOff === null) return []
  const { until, url, email, form } = coolingOff
  const to = email === '' ? '' : `, for example by emailing ${email}`
  return [
    paragraph(
      `Changed your mind? If you joined as a consumer, you have until the end of ${formatLongDate(until)} to cancel and get back everything you paid, no reason needed. Tell us clearly before then${to}. How it works: ${url}`,
    ),
    paragraph(['You can use this form, but you don’t have to.', ...form].join('\n')),
  ]
}

function firstSteps({ video, community, weeklyCall, coachingCall }: FirstSteps): Step[] {
  const call = weeklyCall && `${weekdayName(weeklyCall)} ${formatLongDate(weeklyCall)}`
  return [
    ...(video ? [{ text: `Watch the first video, “${video.title}”.`, url: video.url }] : []),
    ...(community ? [{ text: 'Join the community and say hello.', url: community }] : []),
    ...(call ? [`Come to the next weekly call, on ${call}. The link is in the community.`] : []),
    ...(coachingCall
      ? [{ text: `Book your first ${coachingCall.minutes}-minute coaching call.`, url: coachingCall.url }]
      : []),
    'Keep this email.',
  ]
}

const underBilling = paragraph(
  'Your VAT invoices are under Billing. You can cancel there too, and we won’t take the next payment.',
)

export function welcomeMail(welcome: Welcome): Message {
  return {
    subject: 'Your membership is active',
    heading: `${greeting(welcome.firstName)} you’re in`,
    blocks: [
      paragraph(`Your ${welcome.tierName} membership is active.`),
      ...membersAreaBlocks(welcome),
      { kind: 'steps', steps: firstSteps(welcome) },
      ...costBlocks(welcome, 'Next payment'),
      underBilling,
      ...coolingOffBlocks(welcome.coolingOff),
    ],
  }
}

export function reactivatedMail(welcome: Welcome): Message {
  return {
    subject: 'Your membership is active again',
    heading: `${greeting(welcome.firstName)} you’re back in`,
    blocks: [
      paragraph(`Your ${welcome.tierName} membership is active again. Your ticks are where you left them.`),
      ...membersAreaBlocks(welcome),
      ...costBlocks(welcome, 'Next payment'),
      underBilling,
      ...coolingOffBlocks(welcome.coolingOff),
    ],
  }
}

export function setUpMail(welcome: Welcome): Message {
  return {
    subject: 'Your membership is set up',
    heading: `${greeting(welcome.firstName)} your membership is set up`,
    blocks: [
      paragraph(`Your ${welcome.tierName} membership starts today. You haven’t been charged yet.`),
      ...membersAreaBlocks(welcome),
      ...costBlocks(welcome, 'First payment'),
      paragraph(
        'Your VAT invoices will be under Billing. Cancel there before the first payment and you won’t be charged.',
      ),
      ...coolingOffBlocks(welcome.coolingOff),
    ],
  }
}

function costBlocks(welcome: Welcome, label: string): Block[] {
  const bill = billOf(welcome, labelsEvery(welcome))
  if (welcome.nextPaymentOn === undefined) return [bill]
  return [bill, { kind: 'rows', rows: [[label, formatLongDate(welcome.nextPaymentOn)]] }]
}

type MembersAreaAccess = {
  membersUrl: string
  /** The one-time link, how long it works, and where to get a new one. Null if there's a password already. */
  setPassword: { url: string; days: number; forgotUrl: string } | null
}

function membersAreaBlocks({ membersUrl, setPassword }: MembersAreaAccess): Block[] {
  if (setPassword === null) return [{ kind: 'button', label: 'Open the members’ area', url: membersUrl }]
  return [
    paragraph('Set a password so you can get back in from any phone. The members’ area opens after that.'),
    { kind: 'button', label: 'Set your password', url: setPassword.url },
    paragraph(
      `The link works once, for ${plural(setPassword.days, 'day')}. Get a new one here: ${setPassword.forgotUrl}`,
    ),
    paragraph(`Already set one? Go straight to the members’ area: ${membersUrl}`),
  ]
}

type MovedIn = {
  firstName: string | null
  email: string
  siteName: string
  url: string
  days: number
  forgotUrl: string
}

/** To someone who was a member elsewhere. Their login is made, and only lacks a password. */
export function movedInMail({ firstName, email, siteName, url, days, forgotUrl }: MovedIn): Message {
  return {
    subject: 'We’ve moved. Set your password',
    heading: `${greeting(firstName)} we’ve moved`,
    blocks: [
      paragraph(`Everything’s now on our own site, ${siteName}. Your login is your email, ${email}.`),
      { kind: 'button', label: 'Set your password', url },
      paragraph(`The link works once, for ${plural(days, 'day')}. After that you get a new one here: ${forgotUrl}`),
    ],
  }
}
