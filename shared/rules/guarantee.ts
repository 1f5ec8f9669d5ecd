/** How long a new membership may be given back whole: 14 times 24 hours. */
const guaranteeMs = 14 * 24 * 60 * 60 * 1000

/** When the money-back guarantee of a membership is over, from its first payment. */
export const guaranteeEnds = (firstPaidAt: string) => new Date(Date.parse(firstPaidAt) + guaranteeMs)
