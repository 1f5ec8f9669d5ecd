import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { Done } from '#shared/contract/auth.ts'
import {
  NoticeChoiceChange,
  NoticeReceipt,
  NoticeSettings,
  PushSubscription,
  StrayPush,
} from '#shared/contract/notices.ts'
import { changeChoice } from './choice-service.ts'
import { confirmNotice, openNotice } from './notice-service.ts'
import { forgetStray, readNoticeSettings, subscribePhone, unsubscribePhone } from './subscription-service.ts'
import { testNotice } from './test-service.ts'

const done = { success: true } as const

/** What a member's phone tells them. Also for members whose access has ended: a failed payment concerns them. */
export const noticeRoutes = (ctx: Context) =>
  new Elysia({ name: 'notices', tags: ['Notices'] })
    .use(session(ctx))
    .get('/api/members/notices', ({ person }) => readNoticeSettings(ctx, person), {
      person: true,
      says: 'Shows which notices you get.',
      response: { 200: NoticeSettings, ...errorResponses },
    })
    .put(
      '/api/members/notices/choices',
      ({ person, body }) => {
        changeChoice(ctx, person.id, body)
        return readNoticeSettings(ctx, person)
      },
      {
        person: true,
        says: 'Switches a kind of notice on or off.',
        body: NoticeChoiceChange,
        response: { 200: NoticeSettings, ...errorResponses },
      },
    )
    .put('/api/members/notices/phone', ({ person, body }) => subscribePhone(ctx, person, body), {
      person: true,
      says: 'Stores where this browser gets its notices.',
      body: PushSubscription,
      response: { 200: NoticeSettings, ...errorResponses },
    })
    .delete('/api/members/notices/phone', ({ person }) => unsubscribePhone(ctx, person), {
      person: true,
      says: 'Ends this browser’s notices.',
      response: { 200: NoticeSettings, ...errorResponses },
    })
    .post('/api/members/notices/test', ({ person }) => testNotice(ctx, person), {
      person: true,
      says: 'Sends this browser a notice to try it out.',
      response: { 200: Done, ...errorResponses },
    })
    .post(
      '/api/notices/receipts',
      ({ person, body }) => {
        if (person !== null) confirmNotice(ctx, person.id, body.id)
        return done
      },
      {
        visitor: true,
        says: 'Confirms that a notice has come.',
        body: NoticeReceipt,
        response: { 200: Done, ...errorResponses },
      },
    )
    .post(
      '/api/notices/opened',
      ({ person, body }) => {
        if (person !== null) openNotice(ctx, person.id, body.id)
        return done
      },
      {
        visitor: true,
        says: 'Says that a notice has been opened.',
        body: NoticeReceipt,
        response: { 200: Done, ...errorResponses },
      },
    )
    .post(
      '/api/notices/stray',
      ({ body }) => {
        forgetStray(ctx, body.endpoint)
        return done
      },
      {
        visitor: true,
        says: 'Ends the notices to a browser that’s no longer its member’s.',
        body: StrayPush,
        response: { 200: Done, ...errorResponses },
      },
    )
