export type HealthLevel = 'good' | 'bad' | 'warning'

const good: readonly string[] = ['configured', 'connected', 'alive']

/** What a word of the status page means; a word that is not known is a warning. */
export function healthLevel(word: string): HealthLevel {
  if (good.includes(word)) return 'good'
  return word === 'missing' ? 'bad' : 'warning'
}

/** One bad part is an error; a warning leaves the whole alone. */
export const overallHealth = (words: readonly string[]): 'ok' | 'error' =>
  words.some((word) => healthLevel(word) === 'bad') ? 'error' : 'ok'
