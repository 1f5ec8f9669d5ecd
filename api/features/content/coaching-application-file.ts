import type { z } from 'zod'
import type { CoachingApplicationText } from '#shared/contract/texts/coaching-application.ts'
import { pageText } from './words.ts'

export const CoachingApplicationFile: z.ZodType<CoachingApplicationText> = pageText
