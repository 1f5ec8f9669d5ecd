import type { z } from 'zod'
import type { HealthText } from '#shared/contract/texts/health.ts'
import { pageText } from './words.ts'

export const HealthFile: z.ZodType<HealthText> = pageText
