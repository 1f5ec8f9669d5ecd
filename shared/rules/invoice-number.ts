export const documentSeries = ['invoice', 'credit_note'] as const
export type DocumentSeries = (typeof documentSeries)[number]

/** Invoice numbers have no gaps and follow the order of issue: A-000001, A-000002, … */
export const invoiceNumber = (sequence: number) => numberIn('A', sequence)

/** Credit notes have a series of their own: C-000001, C-000002, … */
export const creditNoteNumber = (sequence: number) => numberIn('C', sequence)

/** `A-000042` is the 42nd invoice, `C-000007` the seventh credit note; null if it's neither. */
export function sequenceOf(number: string): { series: DocumentSeries; sequence: number } | null {
  const [, letter, digits] = /^([AC])-0*(\d{1,9})$/.exec(number) ?? []
  if (letter === undefined || digits === undefined) return null
  return { series: letter === 'A' ? 'invoice' : 'credit_note', sequence: Number(digits) }
}

const numberIn = (series: 'A' | 'C', sequence: number) => `${series}-${String(sequence).padStart(6, '0')}`
