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

/** The accountant's files, which have everyone's names and addresses. */
export const exportedFiles = ['invoices.csv', 'accounts.csv', 'accountant.zip'] as const
export const FileRequest = v.strictObject({ file: v.picklist(exportedFiles) })
export type FileRequest = v.InferOutput<typeof FileRequest>
export const FileTicket = v.object({ ticket: v.string() })
export type FileTicket = v.InferOutput<typeof FileTicket>

/** Goes with a file's own query. A token made for files needs none. */
export const TicketQuery = v.object({ ticket: v.optional(ExportQuery.entries.ticket) })

/** A list's CSV of more people than this asks for the password. */
export const mostPeopleUnasked = 200
export const ListExport = v.strictObject({
  list: v.pipe(v.string(), v.regex(/^[\w-]{1,60}$/)),
  rows: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type ListExport = v.InferOutput<typeof ListExport>
