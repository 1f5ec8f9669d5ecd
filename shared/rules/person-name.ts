export type Named = { firstName: string | null; lastName: string | null }

/** First and last name, as far as they are known; empty where neither is. */
export const fullName = ({ firstName, lastName }: Named): string => [firstName, lastName].filter(Boolean).join(' ')

/** What somebody is called: by their name, or by their address where no name is known. */
export const nameOrEmail = (person: Named & { email: string }): string => fullName(person) || person.email
