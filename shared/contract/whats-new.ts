import * as v from 'valibot'

/** News for the people who use the site, newest first: one short line each, shipped with the build as `/whats-new.json`. */
export const WhatsNew = v.array(v.pipe(v.string(), v.nonEmpty(), v.maxLength(80)))
