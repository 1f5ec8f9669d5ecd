import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { users } from '#api/db/schema/people.ts'
import { tellMember } from '#api/features/notices/notice-service.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { answerMail, questionPublishedMail } from '#api/mail/templates/question.ts'
import type { QuestionMessage } from '#shared/contract/questions.ts'
import { readQuestion } from './reading-service.ts'

const mailboxOf = ({ db }: Context, userId: string) =>
  db.select({ email: users.email, firstName: users.firstName }).from(users).where(eq(users.id, userId)).get()

export const questionPath = (id: string) => `/members/questions/${id}`

type Answer = { questionId: string; messageId: string; userId: string }

/** Tells the member of an answer, in its transaction. Whose access has ended gets the answer itself: they can't open its page. */
export function tellOfAnswer(ctx: Context, { questionId, messageId, userId }: Answer): void {
  const [question, to] = [readQuestion(ctx, questionId), mailboxOf(ctx, userId)]
  const answer = question?.messages.find(({ id }) => id === messageId)
  if (answer === undefined || to === undefined) return
  const { publicUrl } = ctx.settings
  const { hasAccess } = accessOfUser(ctx, userId)
  const { link } = answer
  const message = answerMail({
    firstName: to.firstName,
    coach: answer.name,
    askedAt: question.askedAt,
    about: question.video?.title ?? null,
    url: `${publicUrl}${questionPath(questionId)}`,
    voice: voiceOf(answer),
    answer: hasAccess
      ? null
      : { text: answer.text, link: link && { title: link.title, url: `${publicUrl}${link.path}` } },
  })
  const cause = `answer:${messageId}`
  if (hasAccess) tellMember(ctx, { cause, userId, kind: 'answer', path: questionPath(questionId), mail: message })
  else queueMessage(ctx, { cause, to: to.email, userId, isRepeatable: true }, message)
}

function voiceOf({ text, link, files: [voice] }: QuestionMessage) {
  if (voice?.state === 'coming') return 'coming'
  if (voice?.state !== 'ready') return null
  return text === '' && link === null ? 'alone' : 'beside'
}

type Published = { id: string; userId: string; video: { title: string; path: string }; isOpen: boolean }

/** Tells the member that what they asked is published. `isOpen`: they may open that video. */
export function tellOfPublished(ctx: Context, { id, userId, video, isOpen }: Published): void {
  const to = mailboxOf(ctx, userId)
  if (to === undefined) return
  const url = isOpen ? `${ctx.settings.publicUrl}${video.path}` : null
  const message = questionPublishedMail({ firstName: to.firstName, video: video.title, url })
  queueMessage(ctx, { cause: `published:${id}`, to: to.email, userId, isRepeatable: true }, message)
}
