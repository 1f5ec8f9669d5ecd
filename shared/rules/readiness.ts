import type { UnfinishedEntry } from '#shared/contract/content-check.ts'
import { plural } from './plural.ts'

/** How far the site is from going live, in one sentence: what has samples isn't. Terminal and setup say the same. */
export function readinessLine(unfinished: readonly Pick<UnfinishedEntry, 'kind'>[]): string {
  const count = (...kinds: UnfinishedEntry['kind'][]) => unfinished.filter(({ kind }) => kinds.includes(kind)).length
  const [blanks, samples] = [count('blank'), count('contact', 'claim')]
  const left = [
    blanks > 0 && `${plural(blanks, 'detail')} to fill in`,
    samples > 0 && plural(samples, 'sample'),
  ].filter((one) => one !== false)
  return left.length === 0 ? 'Ready to go live.' : `Not ready to go live: ${left.join(', ')}.`
}

export const isReadyForLive = (unfinished: readonly Pick<UnfinishedEntry, 'kind'>[]): boolean =>
  !unfinished.some(({ kind }) => kind === 'blank' || kind === 'contact' || kind === 'claim')
