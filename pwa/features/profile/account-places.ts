/** The pages below Profile, as their addresses name them. */
export const accountPlaces = [
  { place: 'devices', title: 'Devices and password', hint: 'Where you are signed in. Sign out a lost phone.' },
  { place: 'activity', title: 'My activity', hint: 'Sign-ins, changes, and when an owner viewed the site as you.' },
  {
    place: 'data',
    title: 'Your data',
    hint: 'A copy of everything about you, your cancellations, and deleting your account.',
  },
  { place: 'mails', title: 'Mail choices', hint: 'Which mails you get.' },
] as const

export type AccountPlace = (typeof accountPlaces)[number]['place']

export const findPlace = (place: string) => accountPlaces.find((known) => known.place === place)
