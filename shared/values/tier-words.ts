/** What is said of a tier that there isn’t. */
export const unknownTier = 'Choose one of the tiers.'
