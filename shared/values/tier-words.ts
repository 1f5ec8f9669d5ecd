/** What is said of a tier that there isn’t. */
export const unknownTier = 'Choose one of the tiers.'

/** What is said where a price is another one than was shown, or isn’t sold any more. */
export const tierPriceChanged = 'The price has changed. Please choose your tier again.'
