import * as v from 'valibot'

export const BrandFileParams = v.object({ file: v.pipe(v.string(), v.maxLength(64)) })
/** `look` is that of the page that names the file. */
export const BrandFileQuery = v.object({ look: v.optional(v.pipe(v.string(), v.maxLength(64))) })
