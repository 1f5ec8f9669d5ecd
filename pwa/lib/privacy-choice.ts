import { useSyncExternalStore } from 'react'
import type { Measuring } from '#shared/contract/site-content.ts'
import { deviceNote } from './device-note.ts'

/** `agreed` and `refused` stand for the tools that were set up when the visitor was asked; `open` means: ask. */
export type PrivacyChoice = 'agreed' | 'refused' | 'open'

/** Where the choice stands on this device; it is the device's, so it outlives a logout. */
export const privacyChoiceKey = 'privacy-choice'
const note = deviceNote('alliance:privacy-choice')

/** After this long the visitor is asked again. */
const keptMs = 365 * 24 * 60 * 60_000

/** Where storage is closed the choice holds for this page alone. */
let choiceOfThisPage: string | null = null

/** The outside tools that are set up, each with the host it comes from. */
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

/** The choice on this device; one for other tools, or of more than 12 months ago, does not count. */
export const readPrivacyChoice = (measuring: Measuring): PrivacyChoice => {
  const [choice, at, hosts] = (keptChoice() ?? '').split('|')
  const isCurrent = hosts === hostsOf(measuring) && Date.now() - Number(at) < keptMs
  return isCurrent && (choice === 'agreed' || choice === 'refused') ? choice : 'open'
}

const keptChoice = () => {
  try {
    return localStorage.getItem(privacyChoiceKey) ?? choiceOfThisPage
  } catch {
    return choiceOfThisPage
  }
}

export const choosePrivacy = (measuring: Measuring, choice: 'agreed' | 'refused') => {
  const kept = [choice, Date.now(), hostsOf(measuring)].join('|')
  choiceOfThisPage = kept
  try {
    localStorage.setItem(privacyChoiceKey, kept)
  } catch {
    // See choiceOfThisPage.
  }
  note.tell()
}

/** Follows other tabs too. */
export const usePrivacyChoice = (measuring: Measuring): PrivacyChoice =>
  useSyncExternalStore(
    note.subscribe,
    () => readPrivacyChoice(measuring),
    () => 'open',
  )
