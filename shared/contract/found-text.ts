import * as v from 'valibot'
import { Text } from './fields.ts'

export const ContentSearch = v.object({ q: Text(100) })

/** A text of the site, with its placeholders filled in as visitors read it. Kept apart from the pages' schemas, which weigh 50 kB. */
export const FoundTextList = v.array(v.object({ page: v.string(), entry: v.string(), text: v.string() }))
export type FoundTextList = v.InferOutput<typeof FoundTextList>
