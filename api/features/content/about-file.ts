import type { z } from 'zod'
import type { AboutText } from '#shared/contract/texts/about.ts'
import { pageText } from './words.ts'

export const AboutFile: z.ZodType<AboutText> = pageText
