import type { Profile, ProfileForm } from '#shared/contract/profile.ts'

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

export const valuesOf = (profile: Profile): Record<string, string> =>
  Object.fromEntries(profileFields.map((name) => [name, profile[name] ?? '']))

export const notProvided = 'Not provided'
