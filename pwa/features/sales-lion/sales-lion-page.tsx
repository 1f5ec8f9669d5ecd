import type { SalesLionText } from '#shared/contract/texts/sales-lion.ts'

export const SalesLionPage = ({ text }: { text: SalesLionText }) => (
  <section className="job">
    <div className="wrap">
      <h1>{text.title}</h1>
    </div>
  </section>
)
