import type { z } from 'zod'
import type { HealthText } from '#shared/contract/texts/health.ts'
import { pageText, words } from './words.ts'

export const HealthFile: z.ZodType<HealthText> = pageText.extend({ heading: words, lead: words })
