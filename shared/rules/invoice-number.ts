/** Invoices are numbered without a gap, in the order of issue: A-000001, A-000002, … */
export const invoiceNumber = (sequence: number) => numberIn('A', sequence)

/** Credit notes have a series of their own: C-000001, C-000002, … */
export const creditNoteNumber = (sequence: number) => numberIn('C', sequence)

const numberIn = (series: 'A' | 'C', sequence: number) => `${series}-${String(sequence).padStart(6, '0')}`
