import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ClickToLoad } from '#pwa/ui/click-to-load.tsx'
import { StepList } from '#pwa/ui/list.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import type { SalesLionText } from '#shared/contract/texts/sales-lion.ts'

export const Videos = ({ text }: { text: SalesLionText['videos'] }) => {
  const { salesDemoVideo, salesCaseVideo } = useSiteContent().links
  const { demo, caseStudy, play } = text
  return (
    <div className="pair">
      {salesDemoVideo && (
        <div className="stack">
          <h3>{demo.title}</h3>
          <p>{demo.text}</p>
          <ClickToLoad
            address={salesDemoVideo}
            title="Demo video"
            action={play}
            picture={<Picture name="video-demo" alt="A job moving along the job board" width={1280} height={720} />}
          />
        </div>
      )}
      {salesCaseVideo && (
        <div className="stack">
          <h3>{caseStudy.title}</h3>
          <p>{caseStudy.text}</p>
          <ClickToLoad
            address={salesCaseVideo}
            title="Case-study video"
            action={play}
            picture={<Picture name="video-case" alt="Five brick piers, each higher" width={1280} height={720} />}
          />
        </div>
      )}
    </div>
  )
}

/** The training videos by number, those too that have no text yet. */
export const Training = ({ text }: { text: SalesLionText['training'] }) => {
  const { salesTrainingVideos: addresses } = useSiteContent().links
  return (
    <div className="spread">
      <StepList>
        {addresses.map((address, place) => {
          const title = text.list[place]?.title ?? `Training video ${place + 1}`
          return (
            <li key={address}>
              <h3>{title}</h3>
              <div className="stack">
                <p>{text.list[place]?.text}</p>
                <ClickToLoad address={address} title={title} action={text.play} />
              </div>
            </li>
          )
        })}
      </StepList>
    </div>
  )
}
