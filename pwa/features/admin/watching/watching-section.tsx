import { TextLink } from '#pwa/ui/link.tsx'
import { LessonsSection, RetentionSection } from './members-figures-section.tsx'
import { VisitsSection } from './visits-section.tsx'

/** How the site and the lessons are used: each drawing with its table, each table as a file. */
export default function WatchingSection() {
  return (
    <>
      <div className="panel__top">
        <h2>Watching</h2>
        <TextLink isTap to="/admin/$place" params={{ place: 'at-risk' }}>
          Members at risk
        </TextLink>
        <TextLink isTap to="/admin/$place" params={{ place: 'analytics' }}>
          What is counted
        </TextLink>
      </div>
      <VisitsSection />
      <RetentionSection />
      <LessonsSection />
    </>
  )
}
