import type { z } from 'zod'
import type { SalesLionText } from '#shared/contract/texts/sales-lion.ts'
import { pageText } from './words.ts'

export const SalesLionFile: z.ZodType<SalesLionText> = pageText
