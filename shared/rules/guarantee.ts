/** How long a new membership may be given back whole: so many times 24 hours. */
export const guaranteeDays = 14
const guaranteeMs = guaranteeDays * 24 * 60 * 60 * 1000

/** When the money-back guarantee of a membership is over, from its first payment. */
export const guaranteeEnds = (firstPaidAt: string) => new Date(Date.parse(firstPaidAt) + guaranteeMs)
