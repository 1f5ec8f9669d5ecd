import type { z } from 'zod'
import type { BlogText } from '#shared/contract/texts/blog.ts'
import { pageText } from './words.ts'

export const BlogFile: z.ZodType<BlogText> = pageText
