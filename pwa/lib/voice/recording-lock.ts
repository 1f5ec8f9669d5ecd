const lockName = 'alliance-recording'

/** One recording at a time in all tabs: a phone has one microphone, and a draft one voice note. Null: another tab has it. */
export function lockRecording(): Promise<(() => void) | null> {
  if (!navigator.locks) return Promise.resolve(() => {})
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(lockName, { ifAvailable: true }, (lock) => {
        if (lock === null) {
          resolve(null)
          return undefined
        }
        return new Promise<void>((release) => resolve(() => release()))
      })
      .catch(reject)
  })
}

export const isRecordedSomewhere = async (): Promise<boolean> =>
  (await navigator.locks?.query())?.held?.some(({ name }) => name === lockName) ?? false
