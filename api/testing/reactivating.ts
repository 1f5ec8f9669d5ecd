import * as v from 'valibot'
import {
  CreateDelayedSubscriptionResponse,
  DelayedOffers,
  ReactivationLink,
  type ReactivationLinkRequest,
} from '#shared/contract/reactivation.ts'
import type { World } from './world.ts'

/** A signed link from an owner: its address and content. */
export async function linkTo(world: World, request: Partial<ReactivationLinkRequest>) {
  const made = await world.signIn(world.addOwner())('/api/admin/reactivation-links', { body: request })
  const { url, expires, obstacle } = v.parse(ReactivationLink, await made.json())
  return { url, expires, obstacle, carried: Object.fromEntries(new URL(url).searchParams) }
}

type Carried = Record<string, string>

export const askOffers = ({ call }: World, carried: Carried) =>
  call(`/api/delayed-subscription?${new URLSearchParams(carried)}`)

export const offersOf = async (world: World, carried: Carried) =>
  v.parse(DelayedOffers, await (await askOffers(world, carried)).json())

export const askDelayed = ({ call }: World, body: object) => call('/api/create-delayed-subscription', { body })

/** Starts a delayed membership as the page does, with the date from the server. */
export async function beginDelayed(world: World, carried: Carried, more: { tierSlug?: string; priceId?: string } = {}) {
  const { tierSlug = 'standard' } = more
  const delayedBillingDate = (await offersOf(world, carried))[tierSlug]?.date
  const response = await askDelayed(world, { ...carried, ...more, tierSlug, delayedBillingDate })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`Not begun: ${response.status} ${text}`)
  return { response: v.parse(CreateDelayedSubscriptionResponse, JSON.parse(text)), headers: response.headers }
}
