/** The membership application's answers as owners read them. The form asks in its own words, so it doesn't load these. */
export const applicationLabels = {
  businessName: 'Business',
  trade: 'Trade',
  businessStage: 'Stage',
  yearsInTrade: 'Years in trade',
  currentChallenges: 'Challenges',
  goals: 'Goals',
  whyJoin: 'Why join',
  hearAboutUs: 'Heard about us',
} as const
