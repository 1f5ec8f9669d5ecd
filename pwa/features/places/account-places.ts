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
  { place: 'notices', title: 'Notices', hint: 'What we tell you on your phone or by email.' },
  { place: 'mails', title: 'Email choices', hint: 'Reminders, warnings and news.' },
] as const

export type AccountPlace = (typeof accountPlaces)[number]['place']

export const findPlace = (place: string) => accountPlaces.find((known) => known.place === place)

export const phonePlaces = [
  { place: 'storage', title: 'Storage', hint: 'What’s saved on this phone, and how to remove it.' },
  {
    place: 'sync',
    title: 'What’s been sent',
    hint: 'Your ticks and what you said you’d do. See what’s been sent and what hasn’t.',
  },
] as const

export type PhonePlace = (typeof phonePlaces)[number]['place']

export const findPhonePlace = (place: string) => phonePlaces.find((known) => known.place === place)

export const callsTitle = 'Your calls'

export const commitmentsTitle = 'What you said you’d do'

/** Where a member books a call. */
export const bookTitles = { 'book-call': 'Book your coaching call', 'catch-up': 'Book a short catch-up' } as const

export const walletTitle = 'Coaches and invoices'

export const walletPlace = {
  place: 'wallet',
  title: walletTitle,
  hint: 'Phone numbers, calls and invoices, even without signal.',
} as const

export const shelfTitle = 'On this phone'

export const listenTitle = 'Listen'

export const questionsTitle = 'Your questions'

export const askTitle = 'Ask your coach'

export const shareTitle = 'Share it again'

export const ownerInvitationTitle = 'Help us run the site'

/** Of the pages that emailed links open, by their place. */
export const mailLinkTitles = {
  'confirm-address': 'Confirm your new email',
  'restore-address': 'Undo the change',
  'not-me': 'This wasn’t me',
  unsubscribe: 'Stop these emails',
} as const

export type MailAction = keyof typeof mailLinkTitles

export const isMailAction = (place: string): place is MailAction => Object.hasOwn(mailLinkTitles, place)

const titles = new Map<string, string>([
  ...[...accountPlaces, ...phonePlaces, walletPlace].map(({ place, title }) => [place, title] as const),
  ...Object.entries(mailLinkTitles),
  ['calls', callsTitle],
  ['commitments', commitmentsTitle],
  ...Object.entries(bookTitles),
  ['shelf', shelfTitle],
  ['listen', listenTitle],
  ['questions', questionsTitle],
  ['ask', askTitle],
  ['share', shareTitle],
  ['owner-invitation', ownerInvitationTitle],
])

/** The heading of a page below the members’ area; undefined at an address without one. */
export const titleOfPlace = (place: string) => titles.get(place)
