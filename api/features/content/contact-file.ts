import type { z } from 'zod'
import type { ContactText } from '#shared/contract/texts/contact.ts'
import { pageText } from './words.ts'

export const ContactFile: z.ZodType<ContactText> = pageText
