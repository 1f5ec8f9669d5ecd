/** The day of the next monthly payment: the same day of the next month, or that month's last. Days are YYYY-MM-DD. */
export function nextPaymentDay(paidOn: string): string {
  const [year = 0, month = 0, day = 0] = paidOn.split('-').map(Number)
  // Day 0 of the month after the next one is the last of the next one.
  const lastOfNext = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(day, lastOfNext))).toISOString().slice(0, 10)
}
