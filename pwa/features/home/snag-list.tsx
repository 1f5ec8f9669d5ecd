import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ClickToLoad } from '#pwa/ui/click-to-load.tsx'
import { PageSection } from '#pwa/ui/page-section.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import type { HomeText } from '#shared/contract/texts/home.ts'

type Props = { text: HomeText['snags']; video: HomeText['video'] }

export const SnagList = ({ text, video }: Props) => (
  <PageSection section={text} isOnInk>
    <ol className="snag">
      {text.items.map(({ advice, putRight }, index) => (
        <li key={advice}>
          <span className="no" aria-hidden="true">
            {index + 1}
          </span>
          <del>{advice}</del>
          <p className="put">
            <b>Put right</b> {putRight}
          </p>
        </li>
      ))}
    </ol>
    <HomeVideo text={video} />
  </PageSection>
)

const HomeVideo = ({ text: { label, before, after, text } }: { text: HomeText['video'] }) => {
  const { transformationVideo } = useSiteContent().links
  if (!transformationVideo) return null
  return (
    <div className="film">
      <div>
        <p className="label">{label}</p>
        <h3>
          {before} <em>{after}</em>
        </h3>
        <p>{text}</p>
      </div>
      <div>
        <ClickToLoad
          address={transformationVideo}
          title={label}
          action="WATCH THE VIDEO"
          picture={
            <Picture
              name="transformation"
              width={1280}
              height={720}
              alt="A van shelf in a mess, and the same shelf put in order"
            />
          }
        />
      </div>
    </div>
  )
}
