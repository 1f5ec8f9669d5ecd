/** The lines of the title on each picture that networks show with a link; the last one is in the brand's accent. */
export const shareTitles: Partial<Record<string, readonly string[]>> = {
  default: ['More time.', 'More freedom.', 'More profit.'],
  about: ['From the tools', 'to the desk'],
  blog: ['From the', 'job sheet'],
  book: ['Book a', 'free call'],
  coaching: ['Coaching for', 'tradesmen'],
  contact: ['Get hold', 'of us'],
  podcast: ['The podcast', 'for the van'],
  quotient: ['Quotes that', 'get accepted'],
  'sales-lion': ['Every call', 'followed up'],
  servicem8: ['Every job', 'on one card'],
  tiers: ['Pick', 'your tier'],
  websites: ['A website', 'that gets calls'],
}
