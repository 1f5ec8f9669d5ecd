import type { PageText } from './page.ts'
import type { SectionText } from './section.ts'

/** What owners edit of this page. */
export type PodcastText = PageText & {
  heading: string
  lead: string
  episodes: SectionText & { play: string; notSetUp: string }
  listen: { heading: string; music: string; directory: string; notSetUp: string }
  themes: SectionText & { list: { name: string; topics: string[] }[] }
}
