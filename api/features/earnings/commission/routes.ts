import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import { streamedResponse } from '#api/http/streamed-response.ts'
import { Done } from '#shared/contract/auth.ts'
import {
  CommissionHistory,
  CommissionMemberParams,
  CommissionParams,
  CommissionRate,
  CommissionRateList,
  CommissionRateRequest,
  CommissionStatement,
  CommissionStatusRequest,
  InactiveMemberList,
  InactiveMemberQuery,
  ManualCommission,
  ManualCommissionList,
  ManualCommissionPaidRequest,
  ManualCommissionRequest,
  MemberPaymentsList,
  MemberPaymentsQuery,
  StatementMailed,
  StatementParams,
  StatementQuery,
} from '#shared/contract/commission.ts'
import { commissionHistory, listInactiveMembers } from './list-service.ts'
import { mailStatement } from './mails.ts'
import { listMemberPayments } from './payment-list-service.ts'
import { deleteCommission, setCommissionStatus } from './payout-service.ts'
import { listRates, setRate } from './rate-service.ts'
import { commissionStatement, statementCsv, statementPdf } from './statement-service.ts'
import { addUpsell, deleteUpsell, listUpsells, setUpsellPaid } from './upsell-service.ts'

const defaultPage = 500
const linesOnAPage = 100
const done = { success: true as const }

export const commissionRoutes = (ctx: Context) =>
  new Elysia({ name: 'commission' }).use(viewRoutes(ctx)).use(upsellRoutes(ctx)).use(accountRoutes(ctx))

const viewRoutes = (ctx: Context) =>
  new Elysia({ name: 'commission-views', tags: ['Commission'] })
    .use(session(ctx))
    .get(
      '/api/admin/member-payments',
      ({ request, set, query }) =>
        respondWithPage({ request, set }, listMemberPayments(ctx, { ...query, limit: query.limit ?? defaultPage })),
      {
        owner: true,
        apart: 'list',
        says: 'Lists members with their payments and commission.',
        query: MemberPaymentsQuery,
        response: { 200: MemberPaymentsList, ...errorResponses },
      },
    )
    .get(
      '/api/admin/inactive-members',
      (call) =>
        respondWithPage(call, listInactiveMembers(ctx, { ...call.query, limit: call.query.limit ?? defaultPage })),
      {
        owner: true,
        apart: 'report',
        says: 'Lists people who paid once and aren’t members now.',
        tags: ['Members'],
        query: InactiveMemberQuery,
        response: { 200: InactiveMemberList, ...errorResponses },
      },
    )
    .get('/api/admin/commission-history', () => commissionHistory(ctx), {
      owner: true,
      apart: 'report',
      says: 'Shows commission month by month.',
      response: { 200: CommissionHistory, ...errorResponses },
    })
    .get(
      '/api/admin/commission-statements/:month',
      (call) => {
        const { params, query, request, set, owner } = call
        if (query.format === 'pdf') return statementPdf(ctx, params.month, owner.actor)
        const wantsCsv = query.format === 'csv' || (query.format === undefined && isCsvRequested(request))
        if (wantsCsv) return streamedResponse(ctx, set, statementCsv(ctx, params.month))
        const limit = query.limit ?? linesOnAPage
        const { statement, next, total } = commissionStatement(ctx, params.month, { limit, cursor: query.cursor })
        set.headers.vary = 'Accept'
        respondWithPage(call, { rows: statement.lines, next, total: () => total })
        return statement
      },
      {
        owner: true,
        apart: 'report',
        says: 'Shows a month’s statement, also as CSV or PDF.',
        params: StatementParams,
        query: StatementQuery,
        response: { 200: CommissionStatement, ...errorResponses },
      },
    )

const isCsvRequested = ({ headers }: Request) => /\btext\/csv\b/i.test(headers.get('accept') ?? '')

const upsellRoutes = (ctx: Context) =>
  new Elysia({ name: 'upsells', tags: ['Commission'] })
    .use(session(ctx))
    .get('/api/admin/manual-commissions', () => listUpsells(ctx), {
      owner: true,
      says: 'Lists upsells entered by hand.',
      response: { 200: ManualCommissionList, ...errorResponses },
    })
    .post(
      '/api/admin/manual-commissions',
      ({ owner, body, request: { headers } }) =>
        addUpsell(ctx, owner, { request: body, key: headers.get('idempotency-key') ?? undefined }),
      {
        owner: 'it says what is owed, and pays no one',
        says: 'Adds an upsell and its commission, in pounds.',
        audit: 'upsell.added',
        body: ManualCommissionRequest,
        response: { 200: ManualCommission, ...errorResponses },
      },
    )
    .patch(
      '/api/admin/manual-commissions/:id',
      ({ owner, params, body }) => setUpsellPaid(ctx, owner, params.id, body.commissionPaid),
      {
        owner: 'it says what is owed, and pays no one',
        says: 'Marks an upsell as paid or unpaid.',
        audit: ['upsell.paid', 'upsell.unpaid'],
        params: CommissionParams,
        body: ManualCommissionPaidRequest,
        response: { 200: ManualCommission, ...errorResponses },
      },
    )
    .delete(
      '/api/admin/manual-commissions/:id',
      ({ owner, params }) => {
        deleteUpsell(ctx, owner, params.id)
        return done
      },
      {
        owner: 'it says what is owed, and pays no one',
        says: 'Deletes an upsell.',
        audit: 'upsell.deleted',
        params: CommissionParams,
        response: { 200: Done, ...errorResponses },
      },
    )

const accountRoutes = (ctx: Context) =>
  new Elysia({ name: 'commission-account', tags: ['Commission'] })
    .use(session(ctx))
    .post(
      '/api/admin/commission-statements/:month/mail',
      ({ owner, params: { month }, request: { headers } }) =>
        mailStatement(ctx, owner, { month, key: headers.get('idempotency-key') ?? undefined }),
      {
        owner: 'it goes to the partner’s address alone',
        says: 'Emails the partner a month’s statement.',
        audit: 'commission.mailed',
        params: StatementParams,
        response: { 200: StatementMailed, ...errorResponses },
      },
    )
    .patch(
      '/api/admin/commission-status/:userId',
      ({ owner, params, body }) => {
        setCommissionStatus(ctx, owner, params.userId, body)
        return done
      },
      {
        owner: 'it says what is owed, and pays no one',
        says: 'Marks a member’s month as paid or unpaid.',
        audit: ['commission.paid', 'commission.unpaid'],
        params: CommissionMemberParams,
        body: CommissionStatusRequest,
        response: { 200: Done, ...errorResponses },
      },
    )
    .delete(
      '/api/admin/commission-payments/:id',
      ({ owner, params }) => {
        deleteCommission(ctx, owner, params.id)
        return done
      },
      {
        owner: 'it says what is owed, and pays no one',
        says: 'Deletes the commission for a member’s month.',
        audit: 'commission.deleted',
        params: CommissionParams,
        response: { 200: Done, ...errorResponses },
      },
    )
    .get('/api/admin/commission-rates', () => listRates(ctx), {
      owner: true,
      says: 'Lists the commission rates, past and future.',
      response: { 200: CommissionRateList, ...errorResponses },
    })
    .post('/api/admin/commission-rates', ({ owner, body }) => setRate(ctx, owner, body), {
      owner: 'it says what is owed, and pays no one',
      says: 'Sets a tier’s commission from a day on.',
      audit: 'commission.rate',
      body: CommissionRateRequest,
      response: { 200: CommissionRate, ...errorResponses },
    })
