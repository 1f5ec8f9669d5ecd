import { paid } from './posts/paid.ts'
import { pricing } from './posts/pricing.ts'
import { quotes } from './posts/quotes.ts'
import { tools } from './posts/tools.ts'

export const postSeeds = [
  {
    slug: 'pricing-a-job-properly',
    title: 'Pricing a job properly',
    excerpt:
      'Most tradesmen price from what the next man charges. Here’s how to price from your own figures, in one evening.',
    content: pricing,
    featuredImage: '/pictures/blog-pricing.svg',
    isPublished: true,
    daysAgo: 3,
  },
  {
    slug: 'getting-paid-on-time',
    title: 'Getting paid on time',
    excerpt: 'Most late payers have never been asked. Four lines, four messages and one phone call.',
    content: paid,
    featuredImage: '/pictures/blog-paid.svg',
    isPublished: true,
    daysAgo: 12,
  },
  {
    slug: 'letting-go-of-the-tools',
    title: 'Letting go of the tools',
    excerpt: 'What to hand over first, how to check it, and why you should start with Fridays.',
    content: tools,
    featuredImage: '/pictures/blog-tools.svg',
    isPublished: true,
    daysAgo: 26,
  },
  {
    slug: 'quoting-faster',
    title: 'Quoting faster',
    excerpt: 'If you quote after nine at night, you’re giving your evenings away. Move the quote to the drive.',
    content: quotes,
    featuredImage: '/pictures/blog-quotes.svg',
    isPublished: true,
    daysAgo: 41,
  },
  {
    slug: 'your-first-lad-what-has-to-be-true',
    title: 'Your first lad: what has to be true',
    excerpt: 'Taking someone on is the biggest bet most small trades ever make. Three figures to know first.',
    content: '<p>Draft.</p>',
    featuredImage: null,
    isPublished: false,
    daysAgo: 0,
  },
] as const
