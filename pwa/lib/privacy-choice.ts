import { useSyncExternalStore } from 'react'
import type { Measuring } from '#shared/contract/site-content.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { createStorageSignal, deviceStorage, privacyChoiceKey } from './storage.ts'

/** `agreed` and `refused` apply to the tools configured when the visitor chose; `open`: no choice yet. */
export type PrivacyChoice = 'agreed' | 'refused' | 'open'

const signal = createStorageSignal('alliance:privacy-choice')

const choiceLifetimeMs = 365 * dayMs

export const outsideTools = ({ analytics, pixel }: Measuring) =>
  [
    { purpose: 'counts visits', address: analytics },
    { purpose: 'measures adverts', address: pixel },
  ]
    .filter(({ address }) => address !== '')
    .map((tool) => ({ ...tool, host: new URL(tool.address).host }))

const hostsOf = (measuring: Measuring) =>
  outsideTools(measuring)
    .map(({ host }) => host)
    .join(' ')

/** The choice on this device. One for other tools, or older than 12 months, doesn't count. */
export function readPrivacyChoice(measuring: Measuring): PrivacyChoice {
  const [choice, at, hosts] = (deviceStorage.getItem(privacyChoiceKey) ?? '').split('|')
  const isCurrent = hosts === hostsOf(measuring) && Date.now() - Number(at) < choiceLifetimeMs
  return isCurrent && (choice === 'agreed' || choice === 'refused') ? choice : 'open'
}

export function choosePrivacy(measuring: Measuring, choice: 'agreed' | 'refused'): void {
  deviceStorage.setItem(privacyChoiceKey, [choice, Date.now(), hostsOf(measuring)].join('|'))
  signal.notify()
}

export const usePrivacyChoice = (measuring: Measuring): PrivacyChoice =>
  useSyncExternalStore(
    signal.subscribe,
    () => readPrivacyChoice(measuring),
    () => 'open',
  )
