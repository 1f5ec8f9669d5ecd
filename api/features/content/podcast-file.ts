import { z } from 'zod'
import type { PodcastText } from '#shared/contract/texts/podcast.ts'
import { sectionText } from './section-words.ts'
import { pageText, words } from './words.ts'

export const PodcastFile: z.ZodType<PodcastText> = pageText.extend({
  heading: words,
  lead: words,
  episodes: sectionText.extend({ play: words, notSetUp: words }),
  listen: z.strictObject({ heading: words, music: words, directory: words, notSetUp: words }),
  themes: sectionText.extend({ list: z.array(z.strictObject({ name: words, topics: z.array(words) })) }),
})
