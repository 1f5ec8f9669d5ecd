import type { z } from 'zod'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'
import { pageText } from './words.ts'

export const QuotientFile: z.ZodType<QuotientText> = pageText
