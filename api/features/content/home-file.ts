import type { z } from 'zod'
import type { HomeText } from '#shared/contract/texts/home.ts'
import { pageText } from './words.ts'

export const HomeFile: z.ZodType<HomeText> = pageText
