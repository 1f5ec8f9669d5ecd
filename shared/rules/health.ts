export type HealthLevel = 'good' | 'bad' | 'warning'

const goodStatuses: readonly string[] = ['configured', 'connected', 'alive']
const badStatuses: readonly string[] = ['missing', 'damaged', 'unwritable']

export function healthLevel(status: string): HealthLevel {
  if (goodStatuses.includes(status)) return 'good'
  return badStatuses.includes(status) ? 'bad' : 'warning'
}

/** One failed part makes the whole an error; a warning doesn't. */
export const overallHealth = (statuses: readonly string[]): 'ok' | 'error' =>
  statuses.some((status) => healthLevel(status) === 'bad') ? 'error' : 'ok'
