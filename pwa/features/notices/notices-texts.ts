import type { NoticeKind } from '#shared/contract/notices.ts'

export const kindTexts: Record<NoticeKind, { label: string; hint: string }> = {
  answer: { label: 'Your coach has answered', hint: 'When there’s an answer to something you asked.' },
  call: { label: 'You’ve got a call coming up', hint: 'The day before your call.' },
  payment: { label: 'A payment didn’t go through', hint: 'As well as the email, which always comes.' },
  video: { label: 'There’s a new video', hint: 'On the day you can watch it.' },
  commitment: { label: 'You said you’d do something today', hint: 'On the day you set.' },
}

export const mailLabels: Partial<Record<NoticeKind, string>> = {
  answer: 'Email me when there’s an answer',
  call: 'Email me about the call',
  commitment: 'Email me on the day',
}

/** With a notice, the email is for when that doesn't come. */
export const onlyIfMissed = ', if the notice doesn’t reach my phone'

/** Where a phone's own settings hide what was refused. */
export const deniedTexts = {
  apple:
    'Open your iPhone’s Settings, then Notifications. Find us in the list and allow notifications. Then come back here.',
  other:
    'Press the icon beside the address, then Permissions or Site settings. Allow notifications. Then come back here. In our app, hold its icon and press App info, then Notifications.',
}

/** Some browsers have notices and no service that brings them. */
export const notSetUp = 'Your browser couldn’t set notices up. Try again with good signal, or use another browser.'
