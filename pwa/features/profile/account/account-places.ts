/** The pages below Profile, as their addresses name them. */
export const accountPlaces = [
  {
    place: 'sign-in',
    title: 'Sign-in',
    hint: 'Your password, and passkeys: a finger or a face instead.',
  },
  { place: 'devices', title: 'Devices', hint: 'Where you are signed in. Sign out a lost phone.' },
  {
    place: 'activity',
    title: 'My activity',
    hint: 'Sign-ins, changes, and when an owner viewed the site as you.',
  },
  {
    place: 'data',
    title: 'Your data',
    hint: 'A copy of everything about you, your cancellations, and deleting your account.',
  },
  { place: 'mails', title: 'Email choices', hint: 'Which emails you get.' },
] as const

export type AccountPlace = (typeof accountPlaces)[number]['place']

export const findPlace = (place: string) => accountPlaces.find((known) => known.place === place)

/** Pages about this phone, which open without signal. */
export const phonePlaces = [
  { place: 'storage', title: 'Storage', hint: 'What this phone keeps for you, and how to remove it.' },
  { place: 'sync', title: 'Sync', hint: 'What waits to be sent, what was refused, and what went.' },
] as const

export type PhonePlace = (typeof phonePlaces)[number]['place']

export const findPhonePlace = (place: string) => phonePlaces.find((known) => known.place === place)
