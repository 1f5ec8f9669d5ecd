type Comparison = { when: string; format: (amount: number) => string; fewer: 'less' | 'fewer' }

/** `£450 more than last month`, `3 fewer than in the 30 days before`, `the same as last month`. */
export function comparedWith(now: number, before: number, { when, format, fewer }: Comparison): string {
  if (now === before) return `the same as ${when}`
  return `${format(Math.abs(now - before))} ${now > before ? 'more' : fewer} than ${when}`
}
