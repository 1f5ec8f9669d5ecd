import type { Plugin } from 'vite'

/** In the libraries' index files, but only used by app routes. */
const isForAppRoutes = (id: string) =>
  /(useMutation|mutationObserver|useBlocker|useQuery|useInfiniteQuery|infiniteQueryObserver|useBaseQuery|queryObserver|hydration|errorBoundaryUtils|QueryErrorResetBoundary|IsRestoringProvider)\.js$/.test(
    id,
  )

/** The public pages' forms, and the fields they share with the login. */
const isForForms = (id: string) =>
  /\/(enquiry-page|queued-form|use-queued-form|form-draft-store|form-fields|use-form-queue|stored-forms-flag|draft|form-labels|ui\/field|use-field-errors|stat)\.tsx?$/.test(
    id,
  )

/** The app's starting chunk: the entry, and our code every page needs. */
export const siteChunk = 'site'

export const coreChunk = 'core'

/** The entry loads it in a separate task, from the same file. */
const isReactDom = (id: string) => /\/node_modules\/(react-dom|scheduler)\//.test(id)

const isLibrary = (id: string) => id.includes('node_modules')
const isKept = (id: string) => id.endsWith('/lib/kept-messages.ts')
const isSource = (id: string) => /\.tsx?$/.test(id) && !isLibrary(id)

/** Small parts of nearly every public page. Their own file would cost more than they cost pages that don't need them. */
const isForMostPages = (id: string) =>
  /\/(ui\/(page-section|list|picture|stamp|empty-state|badge)\.tsx|rules\/(money|durations|price-words)\.ts)$/.test(id)

/** The tiers on sales pages. */
const isForTiers = (id: string) => /\/(tier-chooser|tier-card|use-tiers)\.tsx?$/.test(id)

/** What the members' area and the pages of calls share, those for visitors too. */
const isForDates = (id: string) => /\/(rules\/(london|plural)|lib\/use-online)\.ts$/.test(id)

/** API calls and their validation, which every app screen needs. */
const isForRequests = (id: string) =>
  /\/node_modules\/(valibot|@elysiajs\/eden)\/|\/lib\/(api|new-key|owner-work)\.ts$|\/contract\/(error|upload-piece|call-slot|fields|listing|tier|auth|billing|application|video|member-calls)\.ts$|\/(rules\/(id|person-name)|values\/password)\.ts$/.test(
    id,
  )

/** The database on the device, shared by ticks and queued forms. */
const isForStore = (id: string) =>
  /\/node_modules\/dexie\/|\/sync\/(database|transactions|scheduler|transport|locks|browser-platform|room|kept-files)\.ts$|\/lib\/(weak-signal|page-life)\.ts$/.test(
    id,
  )

/** The login on this device, its ticks, and the members' area's local data. */
const isForSession = (id: string) =>
  /\/sync\/(session|progress)\/|\/sync\/questions\/draft-error\.ts$|\/contract\/(progress|announcement)\.ts$|\/(session-store|use-logout|logout-gate|progress-merge|sync\/hooks|use-unread|use-stored-area|dismissed-storage|use-open-categories|use-new-videos)\.tsx?$/.test(
    id,
  )

/** What every members' page starts with. */
const isForMembers = (id: string) =>
  /\/(member-gate|member-frame|book-link|call-texts|videos-or-reason|no-access|use-video-progress|video-row|tick-button|sync-status|use-member-data|use-phone-lock|until-weak|sync-line|site-mode-store|use-shelf|playing-sign|stored-gate|use-follow-link)\.tsx?$|\/rules\/(phone-lock|kept-path)\.ts$/.test(
    id,
  )

/** What the members' list shares with other app screens. */
const isForApp = (id: string) =>
  /(useMutation|mutationObserver)\.js$|\/rules\/(state-line|video)\.ts$|\/ui\/(tape|tabs|slip|rich-text)\.tsx$|\/(foot-line|set-password-form|billing\/(membership\/)?subscription|lazy-paid-notice)\.tsx$|\/(use-validated-form|use-section-focus|lib\/use-title|paid-notice-storage|join-storage)\.ts$/.test(
    id,
  )

/** Small parts of the pages where somebody joins or pays. */
const isForPaying = (id: string) => /\/(plan-summary|stepper|step-title|lazy-card-form|load-failed)\.tsx$/.test(id)

/** A member's pages for the van and the pocket, in one file, because each chunk's name costs every visitor some bytes. */
const isForPocket = (id: string) =>
  /\/features\/(members\/(wallet|listen)\/[a-z-]+|billing\/invoices\/(share-invoice|invoice-storage))\.tsx?$/.test(
    id,
  ) && !/use-kept-invoices/.test(id)

/** For screens that fetch more than the members' list, which reads from the device. */
const isForQueries = (id: string) =>
  (isForAppRoutes(id) && !/(useMutation|mutationObserver|useBlocker)\.js$/.test(id)) || /\/use-proof\.tsx$/.test(id)

/** What owners' pages share with some of members' and visitors'. Before the owners' frame, or those pages would load all of that. */
const isForDialogs = (id: string) =>
  /\/(ui\/(dialog|keep-button|table)\.tsx|lib\/until-known\.ts|contract\/(mail|call-kind|coaching-booking|questions)\.ts|values\/question-values\.ts)$/.test(
    id,
  )

/** The Quotient order: visitors make one, and owners read it in Inbox. */
const isForOrders = (id: string) => /\/contract\/quotient\.ts$/.test(id)

/** It asks whether an owner is here, and shows a skeleton meanwhile. Listed before the owners' frame, which nobody else may load. */
const isForGate = (id: string) =>
  /\/features\/admin\/(admin-page|gate\/owner-gate|kit\/(admin-skeleton|typed-ahead-store))\.tsx?$/.test(id)

/** The owners' frame and lists. Nothing else imports from here. */
const isForOffice = (id: string) =>
  /\/features\/admin\/(frame\/(place[a-z]*|place-[a-z]+|rail|rail-[a-z]+|find\/use-go-to)|kit\/(queries|use-admin-action|for-host|phone-link|place-icon|revenue-card|shortcuts\/[a-z-]+|list\/(?!row-menu)[a-z-]+|forms\/(confirm-dialog|draft-storage|use-draft)|inbox\/(inbox-texts|queries)|tiers\/(use-tier-names|queries)|jobs\/(system-texts|run-job)|members\/(member-link|member-texts)))\.tsx?$|\/contract\/(members|invoices|inbox-entries|revenue)\.ts$|\/rules\/month-figures\.ts$/.test(
    id,
  )

/** Small parts of the owners' forms, dialogs and rows, which their first screen hasn't got. */
const isForOwnersForms = (id: string) =>
  /\/features\/admin\/(kit\/(use-copy|forms\/(use-addressed-dialog|form-acts)|list\/row-menu)|members\/remove-dialog)\.tsx?$/.test(
    id,
  )

/** Which browser this is, and how it's installed: four files would cost the login three headers more. */
const isForBrowser = (id: string) =>
  /\/(lib\/(see-browser|install)|auth\/use-links-elsewhere|rules\/browser-kind)\.ts$/.test(id)

const isForMotion = (id: string) => /\/use-(media|prefers-reduced-motion)\.ts$/.test(id)

/** The owners' pages with charts. Each chunk's name costs every visitor some bytes. */
const isForCharts = (id: string) =>
  /\/(ui\/chart[a-z-]*|money\/revenue\/[a-z-]+|engagement\/(engagement|visits)|admin\/kit\/retention)\.tsx$|\/rules\/mrr-figures\.ts$/.test(
    id,
  )

/** Where a member's pages are, which a public page's header knows too. */
const isForPlaces = (id: string) => /\/account-places\.ts$/.test(id)

/** Members give a day to what they promise, owners one to much else. Before the charts, or members would load those. */
const isForDays = (id: string) => /\/(ui\/date-field\.tsx|rules\/typed-day\.ts)$/.test(id)

const sharedGroups = [
  { name: 'forms', test: isForForms },
  { name: 'tiers', test: isForTiers },
  { name: 'dates', test: isForDates },
  { name: 'requests', test: isForRequests },
  { name: 'store', test: isForStore },
  { name: 'session', test: isForSession },
  { name: 'app', test: isForApp },
  { name: 'member', test: isForMembers },
  { name: 'queries', test: isForQueries },
  { name: 'dialogs', test: isForDialogs },
  { name: 'places', test: isForPlaces },
  { name: 'days', test: isForDays },
  { name: 'orders', test: isForOrders },
  { name: 'gate', test: isForGate },
  { name: 'office', test: isForOffice },
  { name: 'owners-forms', test: isForOwnersForms },
  { name: 'charts', test: isForCharts },
  { name: 'motion', test: isForMotion },
  { name: 'browser', test: isForBrowser },
  { name: 'pocket', test: isForPocket },
  { name: 'paying', test: isForPaying },
]

/** A few chunks instead of dozens: fewer requests, and better compression. The libraries' chunk rarely changes. */
export function createSharedChunks() {
  const startModules = new Set<string>()

  const plugin: Plugin = {
    name: 'shared-chunks',
    apply: 'build',
    buildEnd() {
      const add = (id: string) => {
        if (startModules.has(id)) return
        startModules.add(id)
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) add(imported)
      }
      for (const id of this.getModuleIds()) if (this.getModuleInfo(id)?.isEntry) add(id)
    },
    generateBundle(_options, bundle) {
      // Its styles are inline in every document, so chunks that import it needn't request them.
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && file.name === siteChunk) file.viteMetadata?.importedCss.clear()
    },
  }
  const isForStart = (id: string) => startModules.has(id) || isReactDom(id)
  const groups = [
    // React takes its channel as it's loaded, so what keeps its messages is in front of it.
    { name: coreChunk, test: (id: string) => isKept(id) || (isLibrary(id) && isForStart(id) && !isForAppRoutes(id)) },
    { name: siteChunk, test: (id: string) => isSource(id) && (startModules.has(id) || isForMostPages(id)) },
    ...sharedGroups,
  ]
  return { plugin, groups }
}

/** Files that are always loaded before any other. */
export const isStartFile = (file: string) => /(^|\/)(core|site|rolldown-runtime)-[\w-]+\.js$/.test(file)

export const isSiteStyle = (file: string) => /(^|\/)site-[\w-]+\.css$/.test(file)
