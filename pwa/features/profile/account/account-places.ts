export const accountPlaces = [
  {
    place: 'sign-in',
    title: 'Logging in',
    hint: 'Your password, or your finger or face instead.',
  },
  { place: 'devices', title: 'Devices', hint: 'Where you’re logged in. Log out a lost phone.' },
  {
    place: 'activity',
    title: 'Your activity',
    hint: 'Logins, changes, and when we viewed the site as you.',
  },
  {
    place: 'data',
    title: 'Your data',
    hint: 'Download everything we hold on you, or delete your account.',
  },
  { place: 'mails', title: 'Email choices', hint: 'Which emails you get.' },
] as const

export type AccountPlace = (typeof accountPlaces)[number]['place']

export const findPlace = (place: string) => accountPlaces.find((known) => known.place === place)

export const phonePlaces = [
  { place: 'storage', title: 'Storage', hint: 'What’s saved on this phone, and how to remove it.' },
  { place: 'sync', title: 'Sync', hint: 'What’s been sent, what hasn’t, and what we couldn’t accept.' },
] as const

export type PhonePlace = (typeof phonePlaces)[number]['place']

export const findPhonePlace = (place: string) => phonePlaces.find((known) => known.place === place)
