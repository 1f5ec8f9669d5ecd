import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ClickToLoad } from '#pwa/ui/click-to-load.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { TickList } from '#pwa/ui/list.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import type { PodcastText } from '#shared/contract/texts/podcast.ts'
import { EpisodeList } from './episodes.tsx'

export const PodcastPage = ({ text }: { text: PodcastText }) => (
  <>
    <PageHero
      tone="ink"
      heading={text.heading}
      lead={text.lead}
      side={<Picture name="podcast" alt="A microphone clamped to a bench" width={480} height={480} isFirst />}
    />
    <Episodes text={text} />
    <PageSection section={text.themes} follows>
      <div className="trio sheet">
        {text.themes.list.map(({ name, topics }) => (
          <div key={name}>
            <h3>{name}</h3>
            <TickList items={topics} />
          </div>
        ))}
      </div>
    </PageSection>
  </>
)

const Episodes = ({ text: { episodes, listen } }: { text: PodcastText }) => {
  const { podcastPlayer, podcastMusic, podcastDirectory } = useSiteContent().links
  // The samples stand in until there's a player.
  const own = episodes.list.filter(({ isSample }) => !podcastPlayer || isSample !== true)
  const elsewhere = [
    { address: podcastMusic, words: listen.music },
    { address: podcastDirectory, words: listen.directory },
  ].filter(({ address }) => address !== '')
  if (!podcastPlayer && own.length === 0 && elsewhere.length === 0) return null
  return (
    <PageSection section={episodes}>
      <div className="pair">
        {own.length > 0 && <EpisodeList episodes={own} />}
        {podcastPlayer && (
          <div className="sheet sheet--pad padded">
            <ClickToLoad address={podcastPlayer} title="Podcast player" action={episodes.play} height={600} />
          </div>
        )}
        {elsewhere.length > 0 && (
          <div className="stack">
            <h3>{listen.heading}</h3>
            {elsewhere.map(({ address, words }) => (
              <TextAnchor key={words} isTap href={address} target="_blank" rel="noreferrer">
                {words}
              </TextAnchor>
            ))}
          </div>
        )}
      </div>
    </PageSection>
  )
}
