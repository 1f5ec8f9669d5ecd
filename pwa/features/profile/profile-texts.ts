import type { Profile, ProfileForm } from '#shared/contract/profile.ts'

/** Label of each field, in the order of the form. */
export const profileLabels: Record<keyof ProfileForm, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  phone: 'Phone',
  businessName: 'Business name',
  trade: 'Trade',
}

export type ProfileField = keyof ProfileForm

export const profileFields: readonly ProfileField[] = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'businessName',
  'trade',
]

/** What the form holds of a profile. */
export const valuesOf = (profile: Profile): Record<string, string> =>
  Object.fromEntries(profileFields.map((name) => [name, profile[name] ?? '']))

export const notProvided = 'Not provided'
