import type { PodcastText } from '#shared/contract/texts/podcast.ts'

export const PodcastPage = ({ text }: { text: PodcastText }) => (
  <section className="job">
    <div className="wrap">
      <h1>{text.title}</h1>
    </div>
  </section>
)
