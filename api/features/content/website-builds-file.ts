import type { z } from 'zod'
import type { WebsiteBuildsText } from '#shared/contract/texts/website-builds.ts'
import { pageText } from './words.ts'

export const WebsiteBuildsFile: z.ZodType<WebsiteBuildsText> = pageText
