import type { Import, ImportFact, ImportKindName, ImportState } from '#shared/contract/imports.ts'
import { plural } from './plural.ts'

/** What an import of each kind makes. */
const nouns: Record<ImportKindName, string> = {
  members: 'member',
  posts: 'post',
  lessons: 'video',
  stripe: 'subscription',
}

export const importNoun = (kind: ImportKindName, count: number) => plural(count, nouns[kind])

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

export const importSourceLabel = (source: string) => sourceLabels[source] ?? 'Table'

const factLabels: Record<ImportFact, string> = {
  subscribed: 'Agreed to your emails',
  'not-subscribed': 'Haven’t agreed to your emails',
  blocked: 'Unsubscribed or bounced before',
  'free-access': 'Paid elsewhere, so free access until then',
  expired: 'Membership already over',
  'cards-dropped': 'Card numbers left out',
  'lessons-ticked': 'Videos ticked done',
  'lessons-unknown': 'Videos we don’t have',
  notes: 'With a note for you',
}

export type ImportLine = { label: string; count: number }

/** What would become of the rows, for a list of facts. Zeros are left out, but for what's new. */
export function planLines({ kind, counts, facts }: Import): ImportLine[] {
  const lines: ImportLine[] = [
    { label: `New ${nouns[kind]}s`, count: counts.new },
    { label: 'Here already, left as they are', count: counts.existing },
    { label: 'In the file twice', count: counts.double },
    { label: 'Can’t be taken', count: counts.refused },
  ]
  return lines
    .filter(({ count }, at) => at === 0 || count > 0)
    .concat(facts.map(({ fact, count }) => ({ label: factLabels[fact], count })))
}

/** One sentence on where an import is. */
export function importSentence(given: Import): string {
  const { kind, state, problem, rows, counts, done, failed, undone, kept } = given
  const sentences: Record<ImportState, string> = {
    planning: `We’re reading the file: ${plural(rows, 'row')} so far.`,
    planned: problem ?? `Nothing has changed yet. ${importNoun(kind, counts.new)} would be added.`,
    applying: `Moving in: ${done} of ${plural(counts.new + counts.double, 'row')} done.`,
    applied: `${importNoun(kind, counts.new - failed)} moved in.${failed > 0 ? ` ${failed} couldn’t be.` : ''}`,
    undoing: `Undoing: ${undone} done so far.`,
    undone: `${importNoun(kind, undone)} taken out again.${kept > 0 ? ` ${kept} stayed, as they’ve been used since.` : ''}`,
    cancelled: 'Cancelled. The file is deleted.',
  }
  return sentences[state]
}
