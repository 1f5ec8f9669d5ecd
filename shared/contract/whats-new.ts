import * as v from 'valibot'

/** What is new for those who use the site, the newest first: one short line each, shipped with the build as `/whats-new.json`. */
export const WhatsNew = v.array(v.pipe(v.string(), v.nonEmpty(), v.maxLength(80)))
