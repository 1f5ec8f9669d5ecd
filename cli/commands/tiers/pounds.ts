import { usageError } from '#cli/exit-codes.ts'

/** Pounds as they're typed, in pence: 250, £250, 249.50. */
export function parsePounds(text: string, name: string): number {
  const [, pounds, pence = '0'] = /^£?(\d{1,6})(?:\.(\d\d))?$/.exec(text.trim().replaceAll(',', '')) ?? []
  if (pounds === undefined) throw usageError(`${name} takes pounds, such as 250 or 249.50.`)
  return Number(pounds) * 100 + Number(pence)
}
