import type { z } from 'zod'
import type { BookCoachingCallText } from '#shared/contract/texts/book-coaching-call.ts'
import { pageText } from './words.ts'

export const BookCoachingCallFile: z.ZodType<BookCoachingCallText> = pageText
