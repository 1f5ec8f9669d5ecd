import type { NoticeKind, PushPayload } from '#shared/contract/notices.ts'

const hour = 60 * 60

type Kind = {
  /** Holds no name and no detail: Safari shows it to anyone who has the phone. */
  title: string
  /** How long a push service keeps it for a phone that's off. */
  ttlSeconds: number
  urgency: 'low' | 'normal' | 'high'
}

export const noticeTerms: Record<NoticeKind, Kind> = {
  answer: { title: 'Your coach has answered', ttlSeconds: 72 * hour, urgency: 'normal' },
  call: { title: 'You’ve got a call coming up', ttlSeconds: 12 * hour, urgency: 'high' },
  payment: { title: 'A payment didn’t go through', ttlSeconds: 72 * hour, urgency: 'normal' },
  video: { title: 'There’s a new video', ttlSeconds: 24 * hour, urgency: 'low' },
  commitment: { title: 'You said you’d do something today', ttlSeconds: 12 * hour, urgency: 'normal' },
}

type Notice = { id: string; kind: NoticeKind | 'test'; path: string; userId: string }

const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('base64url')

/** By which a worker knows whether a notice is for the member whose phone it is, without either being named. */
export const addresseeOf = (userId: string): string => digest(userId)

/** A newer notice of the same topic takes the older one's place. Push services take up to 32 of these characters. */
export const topicOf = ({ kind, path }: Pick<Notice, 'kind' | 'path'>): string =>
  digest(kind === 'video' ? kind : `${kind} ${path}`).slice(0, 32)

/** The page hears by the part after the `#` which notice opened it, as Safari opens it without our worker. */
export const noticeAddress = (publicUrl: string, { id, path }: Pick<Notice, 'id' | 'path'>): string =>
  `${publicUrl}${path}#notice=${id}`

type Shown = { title: string; publicUrl: string; badge: number }

export const payloadOf = (notice: Notice, { title, publicUrl, badge }: Shown): PushPayload => ({
  web_push: 8030,
  notification: {
    title,
    navigate: noticeAddress(publicUrl, notice),
    tag: topicOf(notice),
    app_badge: String(badge),
    data: { id: notice.id, kind: notice.kind, for: addresseeOf(notice.userId) },
  },
  mutable: true,
})
