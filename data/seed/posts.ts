/** Posts of the first day; `daysAgo` is counted back from the seeding. */
export const postSeeds = [
  {
    slug: 'what-your-hour-costs',
    title: 'What your hour really costs',
    excerpt: 'Most tradesmen price from what the next man charges. Here is how to price from your own figures.',
    content:
      '<p>Add up the van, the insurance, the tools, the phone, the days nobody pays you for. Divide by the hours you can really sell. That is what an hour costs you before you have earned a penny.</p><h2>Do it once, on paper</h2><p>It takes an evening. Most people find they have been working two days a week for nothing.</p>',
    isPublished: true,
    daysAgo: 3,
  },
  {
    slug: 'stop-quoting-at-night',
    title: 'Stop quoting at night',
    excerpt: 'If your quotes are written after nine, you are giving your evenings away. Move them to the drive.',
    content:
      '<p>Write the quote while the job is in front of you: five lines, three options, one price each. Send it before you start the engine.</p><p>Customers choose the first clear answer more often than the cheapest one.</p>',
    isPublished: true,
    daysAgo: 12,
  },
  {
    slug: 'your-first-lad',
    title: 'Your first lad: what has to be true',
    excerpt: 'Taking somebody on is the biggest bet most small trades ever make. Three figures to know first.',
    content: '<p>Draft.</p>',
    isPublished: false,
    daysAgo: 0,
  },
] as const
