import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ClickToLoad } from '#pwa/ui/click-to-load.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { TickList } from '#pwa/ui/list.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import type { PodcastText } from '#shared/contract/texts/podcast.ts'

/** The episodes, in the player of the show's host, and links to the show elsewhere. */
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
  return (
    <PageSection section={episodes}>
      <div className="pair">
        <div className={podcastPlayer ? 'sheet sheet--pad padded' : undefined}>
          <ClickToLoad
            address={podcastPlayer}
            title="Podcast player"
            action={episodes.play}
            height={600}
            notSetUp={episodes.notSetUp}
          />
        </div>
        <div className="stack">
          <h3>{listen.heading}</h3>
          <Elsewhere address={podcastMusic} notSetUp={listen.notSetUp}>
            {listen.music}
          </Elsewhere>
          <Elsewhere address={podcastDirectory} notSetUp={listen.notSetUp}>
            {listen.directory}
          </Elsewhere>
        </div>
      </div>
    </PageSection>
  )
}

type ElsewhereProps = { address: string; notSetUp: string; children: string }

const Elsewhere = ({ address, notSetUp, children }: ElsewhereProps) =>
  address ? (
    <TextAnchor isTap href={address} target="_blank" rel="noreferrer">
      {children}
    </TextAnchor>
  ) : (
    <p>
      {children} <span className="badge">{notSetUp}</span>
    </p>
  )
