import type { AdminTier, Booking, TierPayers, TierUses } from '#shared/contract/admin-tier.ts'
import type { PricePeriod, TierProperties } from '#shared/contract/tier.ts'
import { formatLongDate } from './london.ts'
import { formatPoundsAndPence, type Pence } from './money.ts'
import { plural } from './plural.ts'
import { everyPeriod } from './price-words.ts'
import { exactPriceText } from './tier-prices.ts'

/* What owners read before they save a tier, in the browser and in the terminal. */

const pageNames: Readonly<Record<string, string>> = {
  '/': 'Home',
  '/coaching': 'Coaching',
  '/membership-tiers': 'Membership tiers',
  '/membership-application': 'the application',
  '/reactivate': 'Rejoin today',
  '/reactivate-delayed': 'Rejoin later',
  '/members/billing': 'Billing',
}

type Place = Pick<TierProperties, 'isShown' | 'rejoinsNow' | 'rejoinsLater'> & { isActive: boolean }

/** Where people can choose a tier that has a price. */
const pagesOfTier = ({ isActive, isShown, rejoinsNow, rejoinsLater }: Place): string[] =>
  isActive && isShown
    ? [
        '/',
        '/coaching',
        '/membership-tiers',
        '/membership-application',
        ...(rejoinsNow ? ['/reactivate'] : []),
        ...(rejoinsLater ? ['/reactivate-delayed'] : []),
        '/members/billing',
      ]
    : []

export const listText = (words: readonly string[]) => new Intl.ListFormat('en-GB').format(words)
const pagesText = (pages: readonly string[]) => listText(pages.map((page) => pageNames[page] ?? page))

export function shownOnText(tier: Place): string {
  if (!tier.isActive) return 'No page shows it.'
  return tier.isShown ? `People can choose it on ${pagesText(pagesOfTier(tier))}.` : 'You sell it by invitation only.'
}

/** A tier as it's saved, or as it's about to be. */
export type TierState = TierProperties & Pick<AdminTier, 'name' | 'isActive'>

/** `videos`: how many a new tier begins with. `preselected`: another tier that's chosen already for people who rejoin. */
type Known = {
  members: number
  preselected: string | null
  prices?: readonly { every: PricePeriod; net: Pence }[]
  videos?: number
}

/** What saving changes, a sentence each. `before` is null for a new tier. What the card's preview shows isn't said again. */
export function tierConsequences(before: TierState | null, after: TierState, known: Known): string[] {
  const [was, will] = [before === null ? [] : pagesOfTier(before), pagesOfTier(after)]
  const [gone, come] = [was.filter((page) => !will.includes(page)), will.filter((page) => !was.includes(page))]
  return [
    ...(before === null ? newLines(known) : []),
    ...(gone.length > 0 ? [`Its card comes off ${pagesText(gone)}.`] : []),
    ...(come.length > 0 ? [`Its card goes on ${pagesText(come)}.`] : []),
    ...(isInvitedOnly(after) && !(before !== null && isInvitedOnly(before)) ? ['You sell it by invitation only.'] : []),
    ...(will.length > 0 ? cardLines(before, after, known) : []),
    ...memberLines(before, after, known),
  ]
}

const isInvitedOnly = ({ isActive, isShown }: TierState) => isActive && !isShown

const newLines = ({ prices = [], videos }: Known): string[] => [
  ...(prices.length > 0 ? [`New members pay ${prices.map(exactPriceText).join(' or ')}.`] : []),
  ...(videos === undefined ? [] : [`It starts with ${videos === 0 ? 'no videos' : plural(videos, 'video')}.`]),
]

/** What changes on its card, where that's seen. */
function cardLines(before: TierState | null, after: TierState, { preselected }: Known): string[] {
  const { name, badge, isByInvitation, isHighlighted, isPreselected, rejoinsNow } = after
  const was = before ?? { badge: null, isByInvitation: false, isHighlighted: false, isPreselected: false, rejoinsNow }
  const button = isByInvitation
    ? 'Its button says “Contact for invitation”. Anyone can still choose it.'
    : `Its button says “Join ${name}”.`
  const isChosen = isPreselected && rejoinsNow
  const chosen = isChosen
    ? `It’s already chosen for people who rejoin today${preselected === null ? '' : `, instead of ${preselected}`}.`
    : 'People who rejoin today start with the second card chosen.'
  return [
    ...(isByInvitation === was.isByInvitation ? [] : [button]),
    ...(badge === was.badge ? [] : [badge === null ? `Its badge “${was.badge}” goes.` : `Its badge is “${badge}”.`]),
    ...(isHighlighted === was.isHighlighted
      ? []
      : [
          isHighlighted
            ? 'Its button stands out, and so does its card where people rejoin.'
            : 'Its button no longer stands out, and neither does its card where people rejoin.',
        ]),
    ...(isChosen === (was.isPreselected && was.rejoinsNow) ? [] : [chosen]),
  ]
}

/** Each is a line where a new member is welcomed. */
const welcomed = {
  hasCommunityAccess: 'the community',
  hasVideoAccess: 'videos',
  hasWeeklyAccountability: 'weekly accountability',
  hasMonthlyCoaching: 'monthly coaching',
} as const

/** What members have of it, and what new ones are told. */
function memberLines(before: TierState | null, after: TierState, { members }: Known): string[] {
  if (before === null) return []
  const flags = ['hasCommunityAccess', 'hasVideoAccess', 'hasWeeklyAccountability', 'hasMonthlyCoaching'] as const
  const changed = (isNow: boolean) => flags.filter((flag) => before[flag] !== after[flag] && after[flag] === isNow)
  const listed = (isNow: boolean) => changed(isNow).map((flag) => welcomed[flag])
  const people = members > 0 ? plural(members, 'member') : 'Its members'
  return [
    ...(before.name === after.name || members === 0 ? [] : [`${people} ${sees(members)} the new name.`]),
    ...(callsText(before) === callsText(after)
      ? []
      : [`${people} ${members === 1 ? 'has' : 'have'} ${callsText(after)} instead of ${callsText(before)}.`]),
    ...(before.questionsPerMonth === after.questionsPerMonth
      ? []
      : [`${people} can ask ${questionsText(after)} instead of ${questionsText(before)}.`]),
    ...(listed(true).length > 0 ? [`The welcome now mentions ${listText(listed(true))}.`] : []),
    ...(listed(false).length > 0 ? [`The welcome no longer mentions ${listText(listed(false))}.`] : []),
    ...(before.hasVideoAccess === after.hasVideoAccess ? [] : ['You choose which videos they see on each video.']),
    ...(before.hasWhatsApp === after.hasWhatsApp
      ? []
      : ['Its card only mentions WhatsApp if you list it under what they get.']),
  ]
}

const sees = (count: number) => (count === 1 ? 'sees' : 'see')

const callsText = ({ callsPerMonth, callDuration }: TierState) =>
  callDuration === null || callsPerMonth === 0
    ? 'no coaching calls'
    : `${plural(callsPerMonth, 'call')} a month of ${callDuration} minutes`

const questionsText = ({ questionsPerMonth }: TierState) =>
  questionsPerMonth === null
    ? 'as many as they like'
    : questionsPerMonth === 0
      ? 'no questions'
      : `${plural(questionsPerMonth, 'question')} a month`

/** A sentence in parts, so that the people in it can be links. */
export type UsesLine = { text: string; people: readonly { memberId: string | null; name: string }[]; more: number }

/** Who is with a tier, a line each. */
export function usesLines(uses: TierUses): UsesLine[] {
  const { payers, moves, booked, granted, openInvitations, pendingApplications } = uses
  const lines: UsesLine[] = [
    ...payers.map(payersLine),
    ...moves.map(({ members, net, every, from, to }) =>
      plain(
        `${plural(members, 'member')} ${members === 1 ? 'moves' : 'move'} to ${exactPriceText({ net, every })} ${daysText(from, to)}`,
      ),
    ),
    ...bookedLine(booked),
    ...counted(granted, 'member', (one) => `${one ? 'has' : 'have'} free access to it`),
    ...counted(openInvitations, 'open invitation', (one) => `${one ? 'is' : 'are'} for it`),
    ...counted(pendingApplications, 'pending application', (one) => `${one ? 'is' : 'are'} for it`),
  ]
  return lines.length === 0 ? [plain('No one’s on it')] : lines
}

const plain = (text: string): UsesLine => ({ text, people: [], more: 0 })

const counted = (count: number, noun: string, does: (isOne: boolean) => string) =>
  count === 0 ? [] : [plain(`${plural(count, noun)} ${does(count === 1)}`)]

const daysText = (from: string, to: string) =>
  from === to ? `on ${formatLongDate(from)}` : `between ${formatLongDate(from)} and ${formatLongDate(to)}`

function payersLine({ net, months, days, members, people }: TierPayers): UsesLine {
  const every = everyPeriod({ months, days: days ?? undefined })
  const text = `${plural(members, 'member')} ${members === 1 ? 'pays' : 'pay'} ${formatPoundsAndPence(net)} + VAT ${every}`
  return { text, people, more: members - people.length }
}

/** Who comes to a tier, by the day: what goes ahead though it's retired. */
export function bookedLine({ members, people }: TierUses['booked']): UsesLine[] {
  if (members === 0) return []
  const text = `${plural(members, 'member')} ${members === 1 ? 'has' : 'have'} booked a change to it`
  return [{ text, people: people.map(bookedBy), more: members - people.length }]
}

const bookedBy = ({ memberId, name, on }: Booking) => ({ memberId, name: `${name} on ${formatLongDate(on)}` })

/** The whole sentence, where nothing in it is a link. */
export const lineText = ({ text, people, more }: UsesLine): string =>
  `${text}${people.length === 0 ? '' : `: ${listText([...people.map(({ name }) => name), ...restOf(more)])}`}.`

export const restOf = (more: number) => (more > 0 ? [`${more} more`] : [])
