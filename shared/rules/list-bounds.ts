import { plural } from './plural.ts'

/** How many entries a list takes: `2 to 4 entries`. Empty if it takes any number. */
export function boundsText(least: number, most: number | null): string {
  const entries = (count: number) => plural(count, 'entry', 'entries')
  if (most === least) return `Always ${entries(least)}`
  if (most === null) return least === 0 ? '' : `At least ${entries(least)}`
  return least === 0 ? `Up to ${entries(most)}` : `${least} to ${entries(most)}`
}
