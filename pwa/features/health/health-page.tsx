import type { HealthText } from '#shared/contract/texts/health.ts'

export const HealthPage = ({ text }: { text: HealthText }) => (
  <section className="job">
    <div className="wrap">
      <h1>{text.title}</h1>
    </div>
  </section>
)
