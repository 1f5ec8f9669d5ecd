import type { z } from 'zod'
import type { CoachingText } from '#shared/contract/texts/coaching.ts'
import { pageText } from './words.ts'

export const CoachingFile: z.ZodType<CoachingText> = pageText
