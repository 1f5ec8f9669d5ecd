import { z } from 'zod'
import { words } from './words.ts'

/** What every section of a page has. */
export const sectionText = z.strictObject({ name: words, heading: words, lead: words.optional() })

export const itemText = z.strictObject({ title: words, text: words })
