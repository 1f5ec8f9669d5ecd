export type Named = { firstName: string | null; lastName: string | null }

export const fullName = ({ firstName, lastName }: Named): string => [firstName, lastName].filter(Boolean).join(' ')

export const nameOrEmail = (person: Named & { email: string }): string => fullName(person) || person.email
