import type { UnfinishedEntry } from '#shared/contract/content-check.ts'
import { plural } from './plural.ts'

/** How far the site is from going live, in one sentence: what has samples isn't. Terminal and setup say the same. */
export function readinessLine(unfinished: readonly Pick<UnfinishedEntry, 'kind'>[]): string {
  const count = (...kinds: UnfinishedEntry['kind'][]) => unfinished.filter(({ kind }) => kinds.includes(kind)).length
  const [blanks, samples, names, trade] = [count('blank'), count('contact', 'claim'), count('name'), count('trade')]
  const left = [
    blanks > 0 && `${plural(blanks, 'detail')} to fill in`,
    samples > 0 && plural(samples, 'sample'),
    names > 0 && plural(names, 'old name'),
  ].filter((one) => one !== false)
  const line = left.length === 0 ? 'Ready to go live.' : `Not ready to go live: ${left.join(', ')}.`
  // The word may suit the new trade too, so it doesn't stop anyone.
  return trade === 0 ? line : `${line} ${plural(trade, 'text')} may still be about the old trade.`
}

export const isReadyForLive = (unfinished: readonly Pick<UnfinishedEntry, 'kind'>[]): boolean =>
  !unfinished.some(({ kind }) => kind === 'blank' || kind === 'contact' || kind === 'claim' || kind === 'name')

/** As the terminal's list and the setup sheet name them. */
export const unfinishedKinds: Record<UnfinishedEntry['kind'], string> = {
  claim: 'sample claim',
  contact: 'sample contact',
  blank: 'blank',
  unset: 'not set',
  unfit: 'doesn’t fit',
  name: 'old name',
  trade: 'old trade',
}
