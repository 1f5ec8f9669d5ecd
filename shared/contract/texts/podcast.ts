import * as v from 'valibot'
import { Copy, PageText, SectionText } from './parts.ts'

const Theme = v.strictObject({ name: Copy, topics: v.array(Copy) })

export const PodcastText = v.strictObject({
  ...PageText.entries,
  heading: Copy,
  lead: Copy,
  episodes: v.strictObject({ ...SectionText.entries, play: Copy }),
  listen: v.strictObject({ heading: Copy, music: Copy, directory: Copy }),
  themes: v.strictObject({ ...SectionText.entries, list: v.array(Theme) }),
})
export type PodcastText = v.InferOutput<typeof PodcastText>
