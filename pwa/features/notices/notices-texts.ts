import type { NoticeKind } from '#shared/contract/notices.ts'

export const kindTexts: Record<NoticeKind, { label: string; hint: string }> = {
  answer: { label: 'Your coach has answered', hint: 'When there’s an answer to something you asked.' },
  call: { label: 'You’ve a call coming up', hint: 'The day before your call.' },
  payment: { label: 'A payment didn’t go through', hint: 'As well as the email, which always comes.' },
  video: { label: 'There’s a new video', hint: 'On the day you can watch it.' },
  commitment: { label: 'The day you set yourself', hint: 'On the day of something you said you’d do.' },
}

export const mailLabels: Partial<Record<NoticeKind, string>> = {
  answer: 'Email me the answer too, if the notice doesn’t reach a phone',
  call: 'Email me about the call too, if the notice doesn’t reach a phone',
  commitment: 'Email me on the day too, if the notice doesn’t reach a phone',
}

/** Where a phone's own settings hide what was refused. */
export const deniedTexts = {
  apple:
    'Open your iPhone’s Settings, then Notifications. Find us in the list and allow notifications. Then come back here.',
  other:
    'Press the icon beside the address, then Permissions or Site settings. Allow notifications. Then come back here. In our app, hold its icon and press App info, then Notifications.',
}
