import * as v from 'valibot'

/** What a route answers with instead of its own JSON, by content type. There's no schema to check, and the API's document names them. */
export const fileOf = (...contentTypes: [string, ...string[]]) => v.pipe(v.any(), v.metadata({ contentTypes }))
