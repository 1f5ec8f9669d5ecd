import * as v from 'valibot'

/** What an export of everything would hold. `bytes` is the size of the files in the library. */
export const ExportSize = v.object({
  people: v.number(),
  lessons: v.number(),
  posts: v.number(),
  media: v.number(),
  bytes: v.number(),
})
export type ExportSize = v.InferOutput<typeof ExportSize>
