import { isFullError } from '#api/db/startup-error.ts'

/** What helps where a disk is full, by something that lies on it; the error itself where it is another. */
export const explainFullDisk = (error: unknown, place: string): unknown =>
  isFullError(error)
    ? new Error(`The disk that holds ${place} is full. Make room on it, and run the command again.`, { cause: error })
    : error
