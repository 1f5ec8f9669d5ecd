export type Named = { firstName: string | null; lastName: string | null }

export const fullName = ({ firstName, lastName }: Named): string => [firstName, lastName].filter(Boolean).join(' ')

/** A person's name, or their email address if we don't have one. */
export const nameOrEmail = (person: Named & { email: string }): string => fullName(person) || person.email
