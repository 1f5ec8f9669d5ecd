import type { z } from 'zod'
import type { CoachCallsText } from '#shared/contract/texts/coach-calls.ts'
import { pageText } from './words.ts'

export const CoachCallsFile: z.ZodType<CoachCallsText> = pageText
