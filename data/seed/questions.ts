/** What members of a sandbox have asked, by their address. A video is named by its title; `hoursAgo` when it was said. */
type QuestionSeed = {
  email: string
  video?: string
  seconds?: number
  mayPublish?: boolean
  said: readonly { hoursAgo: number; text: string; by?: 'owner@alliance.test'; link?: string }[]
  /** The member has opened the answer. */
  isRead?: boolean
  published?: { question: string; answer: string; usefulTo: readonly string[] }
}

const coach = 'owner@alliance.test'

export const questionSeeds: readonly QuestionSeed[] = [
  {
    email: 'standard@alliance.test',
    video: 'The year on one page',
    seconds: 214,
    said: [
      {
        hoursAgo: 3,
        text: 'I’ve done the page, and it says £68,000 by Christmas. That’s eleven rewires a month. Is that mad, or do I put the price up?',
      },
    ],
  },
  {
    email: 'xl@alliance.test',
    said: [
      {
        hoursAgo: 31,
        text: 'The site manager I want lives 40 miles out and asks for fuel on top of the van. What do others pay?',
      },
    ],
  },
  {
    email: 'standard@alliance.test',
    said: [
      { hoursAgo: 52, text: 'Customer wants 10% off because the kitchen fitter was late. Not my doing. Do I give it?' },
      {
        hoursAgo: 46,
        by: coach,
        text: 'No. You can be sorry without paying for it: “I know it’s been a mess. My part’s done and it’s right.” Then say nothing and wait. Watch this one before you ring.',
        link: 'Saying no and keeping the customer',
      },
    ],
  },
  {
    email: 'lite@alliance.test',
    video: 'Where the business is now',
    seconds: 96,
    mayPublish: true,
    isRead: true,
    said: [
      {
        hoursAgo: 200,
        text: 'My accountant gives me one figure for materials for the whole year. How do I get it per job without sitting up all night?',
      },
      {
        hoursAgo: 188,
        by: coach,
        text: 'Don’t go back. From Monday, put the job’s name on every receipt at the counter, and have the merchant put it on the invoice. One month of that tells you more than last year does.',
      },
    ],
    published: {
      question: 'My accountant only gives me one figure for materials. How do I get it for each job?',
      answer:
        'Don’t go back over last year. From Monday, put the job’s name on every receipt, and ask your merchant to put it on the invoice. After one month you’ll know.',
      usefulTo: ['standard@alliance.test', 'xl@alliance.test'],
    },
  },
]

export const savedReplySeeds = [
  {
    title: 'Send me the figures',
    text: 'Good question, and I can’t answer it without figures. What did you charge, what did you spend, and how many hours were you there?',
  },
  {
    title: 'Let’s do this on a call',
    text: 'This one’s worth talking through. Keep it for our next call and I’ll have it in front of me.',
  },
] as const
