import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ClickToLoad } from '#pwa/ui/click-to-load.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { StepList } from '#pwa/ui/list.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import type { SalesLionText } from '#shared/contract/texts/sales-lion.ts'

export const Videos = ({ text }: { text: SalesLionText['videos'] }) => {
  const { salesDemoVideo, salesCaseVideo } = useSiteContent().links
  const { demo, caseStudy, play, notSetUp } = text
  return (
    <div className="pair">
      <div className="stack">
        <h3>{demo.title}</h3>
        <p>{demo.text}</p>
        <ClickToLoad
          address={salesDemoVideo}
          title="Demo video"
          action={play}
          notSetUp={notSetUp}
          picture={<Picture name="video-demo" alt="A job moving along the job board" width={1280} height={720} />}
        />
      </div>
      <div className="stack">
        <h3>{caseStudy.title}</h3>
        <p>{caseStudy.text}</p>
        <ClickToLoad
          address={salesCaseVideo}
          title="Case-study video"
          action={play}
          notSetUp={notSetUp}
          picture={<Picture name="video-case" alt="Five brick piers, each higher" width={1280} height={720} />}
        />
      </div>
    </div>
  )
}

type TrainingProps = {
  text: SalesLionText['training']
  /** Shown in place of a single video without an address. */
  missing: string
}

/** The training videos by number, those too that have an address and no text yet. */
export const Training = ({ text, missing }: TrainingProps) => {
  const { salesTrainingVideos: addresses } = useSiteContent().links
  const rows = Math.max(text.list.length, addresses.length)
  return (
    <div className="spread">
      <StepList>
        {Array.from({ length: rows }, (_, place) => {
          const numbered = `Training video ${place + 1}`
          const title = text.list[place]?.title ?? numbered
          const address = addresses[place]
          return (
            <li key={title}>
              <h3>{title}</h3>
              <div className="stack">
                <p>{text.list[place]?.text}</p>
                {address && <ClickToLoad address={address} title={title} action={text.play} notSetUp={missing} />}
                {!address && addresses.length > 0 && <EmptyState title={numbered}>{missing}</EmptyState>}
              </div>
            </li>
          )
        })}
      </StepList>
      {addresses.length === 0 && <EmptyState title="Training videos">{text.notSetUp}</EmptyState>}
    </div>
  )
}
