import type { Import, ImportColumn, ImportFact, ImportKindName, ImportState } from '#shared/contract/imports.ts'
import { type AdoptionNote, type AdoptionRefusal, adoptionRefusals } from '#shared/contract/subscription-link.ts'
import { noteWords, refusalWords } from './adoption-texts.ts'
import { formatLongDate } from './london.ts'
import { plural } from './plural.ts'

/** What an import of each kind makes. */
const nouns: Record<ImportKindName, string> = {
  members: 'member',
  posts: 'post',
  lessons: 'video',
  stripe: 'subscription',
}

/** “3 posts and 1 redirect”: so many of an import's rows. Redirects that belong to no post of the file are rows too. */
export function importNoun({ kind, facts }: Pick<Import, 'kind' | 'facts'>, count: number): string {
  const redirects = Math.min(countOf(facts, 'redirects-alone'), count)
  if (redirects === 0) return plural(count, nouns[kind])
  const also = plural(redirects, 'redirect')
  return redirects === count ? also : `${plural(count - redirects, nouns[kind])} and ${also}`
}

const countOf = (facts: Import['facts'], wanted: ImportFact) => facts.find(({ fact }) => fact === wanted)?.count ?? 0

const formatted = (count: number) => count.toLocaleString('en-GB')

const endedStates: readonly ImportState[] = ['applied', 'undoing', 'undone']

/** Of Stripe: who isn't adopted and gets free access, or has got it. */
export const freeOf = ({ kind, state, facts, freeAccess }: Import) =>
  endedStates.includes(state) || kind !== 'stripe' ? freeAccess : countOf(facts, 'free-access')

/** How many it makes, or has made: members, posts and redirects, videos, or subscriptions that are ours. */
export const madeOf = (given: Import) =>
  given.counts.new - (endedStates.includes(given.state) ? given.failed : 0) - freeOf(given)

/** What an import would bring, or what of it is still here. */
export const thereOf = ({ state, counts, failed, kept }: Import): number =>
  state === 'cancelled' ? 0 : state === 'undone' ? kept : counts.new - failed

/** “2 people”: those already here whose campaigns stop, if that's all a members' file would do. */
export function onlyStopsOf({ counts, facts }: Import): string | null {
  const stopped = countOf(facts, 'emails-stopped')
  return stopped === 0 || counts.new > 0 ? null : plural(stopped, 'person', 'people')
}

/** “74 subscriptions”, “3 members”. */
export const madeNoun = (given: Import) => importNoun(given, madeOf(given))

/** What it makes is people, who can be told how to log in. */
export const isOfPeople = (kind: ImportKindName) => kind === 'members' || kind === 'stripe'

export const importStateLabels: Record<ImportState, string> = {
  planning: 'Being read',
  planned: 'Planned',
  applying: 'Being moved in',
  applied: 'Moved in',
  undoing: 'Being undone',
  undone: 'Undone',
  cancelled: 'Cancelled',
}

/** The formats by their makers' names; anything else is a table. */
const sourceLabels: Record<string, string> = {
  kajabi: 'Kajabi',
  memberful: 'Memberful',
  ghost: 'Ghost',
  wordpress: 'WordPress',
  pmpro: 'Paid Memberships Pro',
  memberpress: 'MemberPress',
  stripe: 'Stripe',
  markdown: 'Markdown',
}

/** “members.csv (Ghost)”; a file of no known format by its name alone. */
export const importTitle = ({ fileName, source }: Pick<Import, 'fileName' | 'source'>) => {
  const maker = sourceLabels[source]
  if (fileName === null) return maker ?? 'Your account'
  return maker === undefined ? fileName : `${fileName} (${maker})`
}

const factLabels: Partial<Record<ImportFact, string>> = {
  subscribed: 'Agreed to your emails',
  'not-subscribed': 'Haven’t agreed to your emails',
  blocked: 'Unsubscribed or bounced before',
  'emails-stopped': 'Already here: no more campaigns',
  'free-access': 'Paid elsewhere: free access until it runs out',
  complimentary: 'Had it for free, so they’re in',
  expired: 'Membership already over',
  'days-month-first': 'Paid until a day with the month first',
  'days-unread': 'Paid until a day we can’t read',
  'no-access': 'No access yet',
  'cards-dropped': 'Card numbers left out',
  'lessons-ticked': 'Videos ticked done',
  'lessons-unknown': 'Videos we don’t have',
  notes: 'With a note for you',
  drafts: 'Drafts',
  pictures: 'Pictures',
  'pictures-missing': 'Pictures we couldn’t get',
  redirects: 'Redirects from old addresses',
  'account-known': 'They have an account here',
  'account-made': 'They get an account',
  'tier-missing': 'Need a tier before you can let them in',
  ...prefixed('adopts', noteWords),
}

/** Of a column that blocks addresses: how many it does and doesn't, with three values of each. Null for other columns. */
export function blockSentence({ blocks }: ImportColumn): string | null {
  if (blocks === undefined) return null
  const { blocked, others } = blocks
  return `Unsubscribed or bounced: ${countWith(blocked)}. Not: ${countWith(others)}.`
}

const countWith = ({ count, samples }: { count: number; samples: readonly string[] }) =>
  formatted(count) + (samples.length === 0 ? '' : ` (such as ${samples.map((one) => `“${one}”`).join(', ')})`)

export type ImportLine = { label: string; count: number }

/** What would become of the rows, or has, for a list of facts. Zeros are left out, but for what's new. */
export function planLines(given: Import): ImportLine[] {
  const { kind, state, counts, facts, undone, kept } = given
  if (state === 'cancelled') return []
  if (state === 'undone') return [{ label: 'Taken out again', count: undone }, ...some('Stayed', kept)]
  const isStripe = kind === 'stripe'
  const isOver = endedStates.includes(state)
  const lines: ImportLine[] = [
    {
      label: isStripe ? (isOver ? 'Adopted' : 'Can be adopted') : `New ${nouns[kind]}s`,
      count: madeOf(given) - countOf(facts, 'redirects-alone'),
    },
    ...some(isStripe ? 'Yours already' : 'Already here, so left alone', counts.existing),
    ...some('In the file twice', counts.double),
    ...some(isStripe ? 'Stay at Stripe' : 'Can’t be moved in', stayingOf(given)),
    ...(isStripe && isOver ? some('Free access until the day they’ve paid up to', freeOf(given)) : []),
  ]
  // Later on the letters know who has no access or a new account, and the report who's in for free.
  const lapsed: ImportFact[] = state === 'planned' ? [] : ['no-access', 'account-made', ...(isStripe ? freeFact : [])]
  const known = facts.flatMap(({ fact, count }) => {
    const label = lapsed.includes(fact) ? undefined : factLabels[fact]
    return label === undefined ? [] : some(label, count)
  })
  return [...lines, ...known]
}

const freeFact: ImportFact[] = ['free-access']

const some = (label: string, count: number): ImportLine[] => (count > 0 ? [{ label, count }] : [])

/** Who has free access stays at Stripe too. */
const stayingOf = (given: Import) =>
  given.counts.refused + (endedStates.includes(given.state) ? given.failed : 0) + freeOf(given)

export type StayLine = { reason: AdoptionRefusal; count: number; why: string; remedy: string }

/** Which subscriptions stay at Stripe, by reason, the most frequent first. */
export const stayLines = ({ facts }: Pick<Import, 'facts'>): StayLine[] =>
  adoptionRefusals
    .flatMap((reason) => {
      const count = countOf(facts, `stays-${reason}`)
      const { says, remedy } = refusalWords[reason]
      return count === 0 ? [] : [{ reason, count, why: capitalised(says), remedy }]
    })
    .toSorted((one, other) => other.count - one.count)

function capitalised(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

function prefixed(prefix: 'adopts', words: Record<AdoptionNote, string>): Partial<Record<ImportFact, string>> {
  return Object.fromEntries(Object.entries(words).map(([name, label]) => [`${prefix}-${name}`, capitalised(label)]))
}

/** One sentence on where an import is. */
export function importSentence(given: Import): string {
  return given.kind === 'stripe' ? adoptionSentence(given) : fileSentence(given)
}

/** Of a file that's chosen again. */
export const movedInBefore = ({ appliedAt, createdAt }: Import) =>
  `You moved this file in on ${formatLongDate(appliedAt ?? createdAt)}. Here’s the report. To move it in again, undo it first.`

/** What a plan's owner does about people who'd come in and only be asked to join; null if there are none. */
export function accessAdvice({ kind, state, facts }: Import): string | null {
  const without = countOf(facts, 'no-access')
  if (kind !== 'members' || state !== 'planned' || without === 0) return null
  const days = countOf(facts, 'days-month-first')
  const americans =
    days === 0 ? '' : `${plural(days, 'line')} ${days === 1 ? 'has' : 'have'} a day we can’t use. ${monthFirstAdvice} `
  return `${americans}${formatted(without)} ${without === 1 ? 'gets' : 'get'} an account, but no access yet. ${payingAdvice}`
}

const monthFirstAdvice = 'A day in their column has the month first. Write the whole column as 31/12/2026.'

export const payingAdvice = 'If they pay by Stripe already, take over their subscriptions before you email them.'

function adoptionSentence(given: Import): string {
  const { state, problem, rows, counts, done, failed, undone, options, freeUndone } = given
  const free = freeOf(given)
  const people = plural(free, 'person', 'people')
  const adopted = madeNoun(given)
  const isOne = free === 1
  const also = free === 0 ? '' : ` ${people} ${isOne ? 'gets' : 'get'} free access.`
  const has = free === 0 ? '' : ` ${people} ${isOne ? 'has' : 'have'} free access until the day they’ve paid up to.`
  const ended = freeUndone === 0 ? '' : ` Free access is over for ${plural(freeUndone, 'person', 'people')}.`
  const sentences: Record<ImportState, string> = {
    planning: `We’re reading Stripe: ${plural(rows, 'subscription')} so far.`,
    planned: problem ?? `You can take over ${adopted}.${also} Nothing’s changed yet.`,
    applying: `Adopting: ${formatted(done)} of ${importNoun(given, counts.new)} done.`,
    applied: `You’ve taken over ${adopted}.${has}${failed > 0 ? ` ${formatted(failed)} stayed where ${failed === 1 ? 'it was' : 'they were'}.` : ''}`,
    undoing: `Undoing: ${formatted(undone)} done so far.`,
    undone: `You’ve let go of ${importNoun(given, undone - freeUndone)}. They carry on in Stripe.${ended}${keptText(given)}`,
    cancelled: 'Cancelled. Nothing has changed.',
  }
  return state === 'planned' && options.rehearses ? `A rehearsal: ${adopted} could be yours.` : sentences[state]
}

function fileSentence(given: Import): string {
  const { state, problem, rows, counts, done, failed, undone } = given
  const onlyStops = onlyStopsOf(given)
  const sentences: Record<ImportState, string> = {
    planning: `We’re reading the file: ${plural(rows, 'row')} so far.`,
    planned: problem ?? plannedSentence(given),
    applying: `Moving in: ${formatted(done)} of ${importNoun(given, counts.new + counts.double)} done.`,
    applied: `${onlyStops === null ? `${madeNoun(given)} moved in.` : `We’ve stopped campaigns to ${onlyStops} already here.`}${failed > 0 ? ` We couldn’t move ${formatted(failed)} of them.` : ''}`,
    undoing: `Undoing: ${formatted(undone)} done so far.`,
    undone: `${importNoun(given, undone)} taken out again.${keptText(given)}`,
    cancelled: 'Cancelled. The file is deleted.',
  }
  return sentences[state]
}

function plannedSentence(given: Import): string {
  const { kind, rows, counts } = given
  const none = kind === 'members' ? 'no one' : `no ${nouns[kind]}`
  if (rows === 0) return `There’s ${none} in this file, so there’s nothing to move in.`
  if (counts.new > 0) return `We’ll add ${importNoun(given, counts.new)}. Nothing’s changed yet.`
  const onlyStops = onlyStopsOf(given)
  if (onlyStops !== null) return `We’ll stop campaigns to ${onlyStops} already here. Nothing’s changed yet.`
  if (counts.existing === 0) return `There’s ${none} in this file that we can move in.`
  const are = counts.existing === 1 ? 'is' : 'are'
  return `There’s nothing new in this file: ${formatted(counts.existing)} ${are} here already.`
}

function keptText({ kind, kept }: Import): string {
  const what = isOfPeople(kind) ? 'used' : 'used or changed'
  return kept === 0 ? '' : ` ${formatted(kept)} stayed, because ${kept === 1 ? 'it’s' : 'they’ve'} been ${what} since.`
}
