import type { z } from 'zod'
import type { Servicem8Text } from '#shared/contract/texts/servicem8.ts'
import { pageText } from './words.ts'

export const Servicem8File: z.ZodType<Servicem8Text> = pageText
