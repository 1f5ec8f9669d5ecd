import type { Sheet } from '#cli/csv.ts'
import type { Report } from '#cli/output.ts'
import { factsText, tableText } from '#cli/table.ts'
import type { Figures } from '#cli/views/figures.tsx'

/** Sums and a table in every form; `sheet` is the CSV. */
export const figuresReport = <Row>(answer: unknown, figures: Figures<Row>, sheet: () => Sheet): Report => ({
  answer,
  sheet,
  text() {
    const { facts, columns, rows, empty } = figures
    const table = rows.length === 0 ? `${empty}\n` : tableText(columns, rows)
    return facts.length === 0 ? table : `${factsText(facts)}\n${table}`
  },
  async view(width) {
    const [{ draw }, { FiguresView }] = await Promise.all([
      import('#cli/views/draw.tsx'),
      import('#cli/views/figures.tsx'),
    ])
    return draw(FiguresView<Row>, { ...figures, width })
  },
})
