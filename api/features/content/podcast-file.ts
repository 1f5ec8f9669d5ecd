import type { z } from 'zod'
import type { PodcastText } from '#shared/contract/texts/podcast.ts'
import { pageText } from './words.ts'

export const PodcastFile: z.ZodType<PodcastText> = pageText
