import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { PageSection } from '#pwa/ui/page-section.tsx'
import { Elevation } from '#pwa/ui/picture.tsx'
import type { HomeText } from '#shared/contract/texts/home.ts'

/** One for each job: the van home early, the level with nobody holding it, the tape in pounds. */
const drawings = ['van', 'level', 'tape-measure'] as const

/** The three benefits, as a job sheet. */
export const WorkRequired = ({ text }: { text: HomeText['benefits'] }) => (
  <PageSection section={text}>
    <div className="sheet sheet--pad">
      <SheetHead trades={text.trades} />
      <ol className="work">
        {drawings.map((drawing, place) => (
          <li key={drawing}>
            <h3>
              <small>Job {place + 1}</small> {text.jobs[place]?.title}
            </h3>
            <Elevation name={drawing} />
            <p>{text.jobs[place]?.text}</p>
          </li>
        ))}
      </ol>
    </div>
  </PageSection>
)

const SheetHead = ({ trades }: { trades: string }) => {
  const { brand } = useSiteContent()
  const cells = [
    ['Customer', 'You'],
    ['Trade', trades],
    ['Site', 'Your business'],
    ['Since', brand.founded],
  ]
  return (
    <div className="cells">
      {cells.map(([label, value]) => (
        <div key={label}>
          <span className="label">{label}</span>
          <b>{value}</b>
        </div>
      ))}
    </div>
  )
}
