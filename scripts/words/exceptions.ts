/** What may say it otherwise, and why. A part of the text is enough. */
export const excepted: readonly { reason: string; texts: readonly string[] }[] = []

/** Pages worded by the law, where nothing is contracted for the sake of it. */
export const legal: readonly string[] = [
  'data/content/pages/terms.json',
  'data/content/pages/privacy.json',
  'data/content/pages/cookies.json',
  'data/content/pages/cancellation.json',
]
