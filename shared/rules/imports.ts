import type { Import, ImportFact, ImportKindName, ImportState } from '#shared/contract/imports.ts'
import { type AdoptionNote, type AdoptionRefusal, adoptionRefusals } from './adoption.ts'
import { noteWords, refusalWords } from './adoption-texts.ts'
import { plural } from './plural.ts'

/** What an import of each kind makes. */
const nouns: Record<ImportKindName, string> = {
  members: 'member',
  posts: 'post',
  lessons: 'video',
  stripe: 'subscription',
}

export const importNoun = (kind: ImportKindName, count: number) => plural(count, nouns[kind])

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
  'free-access': 'Already paid, so they’re in until then',
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
  redirects: 'Redirects from old addresses',
  'account-known': 'They have an account here',
  'account-made': 'They get an account',
  ...prefixed('adopts', noteWords),
}

export type ImportLine = { label: string; count: number }

/** What would become of the rows, for a list of facts. Zeros are left out, but for what's new. */
export function planLines(given: Import): ImportLine[] {
  const { kind, state, counts, facts } = given
  const isStripe = kind === 'stripe'
  const lines: ImportLine[] = [
    { label: isStripe ? 'Can be adopted' : `New ${nouns[kind]}s`, count: counts.new - freeOf(given) },
    { label: isStripe ? 'Yours already' : 'Already here, so left alone', count: counts.existing },
    { label: 'In the file twice', count: counts.double },
    { label: isStripe ? 'Stay at Stripe' : 'Can’t be moved in', count: counts.refused + freeOf(given) },
  ]
  const known = facts.flatMap(({ fact, count }) => {
    // Later on, the letters know who has none.
    const label = fact === 'no-access' && state !== 'planned' ? undefined : factLabels[fact]
    return label === undefined ? [] : [{ label, count }]
  })
  return [...lines.filter(({ count }, at) => at === 0 || count > 0), ...known]
}

/** Of Stripe: who isn't adopted and gets free access. */
const freeOf = ({ kind, facts }: Pick<Import, 'kind' | 'facts'>) =>
  kind === 'stripe' ? (facts.find(({ fact }) => fact === 'free-access')?.count ?? 0) : 0

export type StayLine = { reason: AdoptionRefusal; count: number; why: string; remedy: string }

/** Which subscriptions stay at Stripe, by reason, the most frequent first. */
export const stayLines = ({ facts }: Pick<Import, 'facts'>): StayLine[] =>
  adoptionRefusals
    .flatMap((reason) => {
      const count = facts.find(({ fact }) => fact === `stays-${reason}`)?.count ?? 0
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

/** What a plan's owner does about people who'd come in and only be asked to join; null if there are none. */
export function accessAdvice({ kind, state, facts }: Import): string | null {
  const countOf = (wanted: ImportFact) => facts.find(({ fact }) => fact === wanted)?.count ?? 0
  const without = countOf('no-access')
  if (kind !== 'members' || state !== 'planned' || without === 0) return null
  const days = countOf('days-month-first')
  const americans =
    days === 0 ? '' : `${plural(days, 'line')} ${days === 1 ? 'has' : 'have'} a day we can’t use. ${monthFirstAdvice} `
  return `${americans}${without.toLocaleString('en-GB')} get an account, but no access yet. ${payingAdvice}`
}

const monthFirstAdvice = 'A day in their column has the month first. Write the whole column as 31/12/2026.'

export const payingAdvice = 'If they pay by Stripe, read Stripe and adopt before you write to them.'

function adoptionSentence(given: Import): string {
  const { state, problem, rows, counts, done, failed, undone, kept, options } = given
  const free = freeOf(given)
  const adopted = importNoun('stripe', counts.new - free)
  const also = free === 0 ? '' : ` ${plural(free, 'person', 'people')} would get free access.`
  const sentences: Record<ImportState, string> = {
    planning: `We’re reading Stripe: ${plural(rows, 'subscription')} so far.`,
    planned: problem ?? `You can take over ${adopted}.${also} Nothing’s changed yet.`,
    applying: `Adopting: ${done} of ${counts.new} done.`,
    applied: `You’ve taken over ${plural(counts.new - failed, 'subscription')}.${failed > 0 ? ` ${failed} stayed where they were.` : ''}`,
    undoing: `Undoing: ${undone} done so far.`,
    undone: `You’ve let go of ${importNoun('stripe', undone)}. They carry on in Stripe.${kept > 0 ? ` ${kept} stayed, as they’ve been used since.` : ''}`,
    cancelled: 'Cancelled. Nothing has changed.',
  }
  return state === 'planned' && options.rehearses ? `A rehearsal: ${adopted} could be yours.` : sentences[state]
}

function fileSentence({ kind, state, problem, rows, counts, done, failed, undone, kept }: Import): string {
  const sentences: Record<ImportState, string> = {
    planning: `We’re reading the file: ${plural(rows, 'row')} so far.`,
    planned: problem ?? `We’ll add ${importNoun(kind, counts.new)}. Nothing’s changed yet.`,
    applying: `Moving in: ${done} of ${plural(counts.new + counts.double, 'row')} done.`,
    applied: `${importNoun(kind, counts.new - failed)} moved in.${failed > 0 ? ` We couldn’t move ${failed} of them.` : ''}`,
    undoing: `Undoing: ${undone} done so far.`,
    undone: `${importNoun(kind, undone)} taken out again.${kept > 0 ? ` ${kept} stayed, because they’ve been used or changed since.` : ''}`,
    cancelled: 'Cancelled. The file is deleted.',
  }
  return sentences[state]
}
