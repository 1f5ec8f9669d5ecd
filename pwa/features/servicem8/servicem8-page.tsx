import type { Servicem8Text } from '#shared/contract/texts/servicem8.ts'

export const Servicem8Page = ({ text }: { text: Servicem8Text }) => (
  <section className="job">
    <div className="wrap">
      <h1>{text.title}</h1>
    </div>
  </section>
)
