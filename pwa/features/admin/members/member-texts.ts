/** Who a row is about, as a file has it. */
export const whoText = ({ name, email, phone }: { name: string; email: string; phone?: string | null }): string =>
  [`${name} <${email}>`, phone].filter(Boolean).join(', ')

type Named = { firstName: string | null; lastName: string | null; email: string }

/** What a row and a dialog call a member; the address where no name is known. */
export const memberName = ({ firstName, lastName, email }: Named): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email
