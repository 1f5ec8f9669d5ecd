import type { Sheet } from '../csv.ts'
import type { Report } from '../output.ts'
import { factsText, tableText } from '../table.ts'
import type { Figures } from '../views/figures.tsx'

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
    const [{ draw }, { FiguresView }] = await Promise.all([import('../views/draw.tsx'), import('../views/figures.tsx')])
    return draw(FiguresView<Row>, { ...figures, width })
  },
})
