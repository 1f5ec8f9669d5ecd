import * as v from 'valibot'

/** What an export of everything holds, and the ticket that downloads it. `bytes` is the size of the files in the library. */
export const Export = v.object({
  people: v.number(),
  lessons: v.number(),
  posts: v.number(),
  media: v.number(),
  bytes: v.number(),
  /** Files of the library that aren't in the store. The download leaves them out. */
  missing: v.array(v.string()),
  ticket: v.string(),
})
export type Export = v.InferOutput<typeof Export>

export const ExportQuery = v.strictObject({ ticket: v.pipe(v.string(), v.maxLength(100)) })
