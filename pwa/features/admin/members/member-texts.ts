type Named = { firstName: string | null; lastName: string | null; email: string }

/** What a row and a dialog call a member; the address where no name is known. */
export const memberName = ({ firstName, lastName, email }: Named): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email
