import * as v from 'valibot'
import { Copy, ItemText, PageText, SectionText } from './parts.ts'

/** `files` are addresses in the media store, best first. */
const Episode = v.strictObject({
  isSample: v.optional(v.boolean()),
  ...ItemText.entries,
  notes: v.optional(v.string()),
  seconds: v.pipe(v.number(), v.integer(), v.minValue(1)),
  files: v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^\/media\/[\w-]+\.\w+$/, 'isn’t a public file in the library'))),
    v.minLength(1, 'names no file'),
  ),
})

const Theme = v.strictObject({ name: Copy, topics: v.array(Copy) })

export const PodcastText = v.strictObject({
  ...PageText.entries,
  /** As podcast apps list it. */
  show: v.strictObject({ name: Copy }),
  heading: Copy,
  lead: Copy,
  episodes: v.strictObject({ ...SectionText.entries, play: Copy, list: v.array(Episode) }),
  listen: v.strictObject({ heading: Copy, music: Copy, directory: Copy }),
  themes: v.strictObject({ ...SectionText.entries, list: v.array(Theme) }),
})
export type PodcastText = v.InferOutput<typeof PodcastText>
