import * as v from 'valibot'

export type PhotoLimits = { side: number; bytes: number }

/** A JPEG without the camera's notes: they'd say where it was taken. */
const MadeSmall = v.object({ blob: v.instance(Blob), width: v.number(), height: v.number() })
export type MadeSmall = v.InferOutput<typeof MadeSmall>

/** `unknown`: it's no picture. `slow`: it took too long, and was given up. `unloaded`: the worker's own file isn't here. */
const failures = ['empty', 'unknown', 'heic', 'broken', 'huge', 'slow', 'unloaded'] as const
export type PhotoFailure = (typeof failures)[number]

const Answer = v.union([MadeSmall, v.object({ failure: v.picklist(failures) })])

export type SmallPhoto = v.InferOutput<typeof Answer>

/** What never ends is ended. A slow phone takes some seconds for the largest photo. */
const patienceMs = 30_000

/**
 * Makes one photo small in a worker, so that the screen goes on while it's at it. A worker of its own each time: one that runs out of memory
 * takes no other photo along.
 */
export async function makePhotoSmall(file: Blob, limits: PhotoLimits): Promise<SmallPhoto> {
  const worker = new Worker(new URL('./photo-worker.ts', import.meta.url), { type: 'module' })
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    const answer = await new Promise<unknown>((resolve) => {
      worker.addEventListener('message', ({ data }) => resolve(data))
      // What a worker that runs throws comes with its message.
      worker.addEventListener('error', (event) =>
        resolve({ failure: event instanceof ErrorEvent ? 'broken' : 'unloaded' }),
      )
      timer = setTimeout(() => resolve({ failure: 'slow' }), patienceMs)
      worker.postMessage({ file, limits })
    })
    return v.parse(Answer, answer)
  } finally {
    clearTimeout(timer)
    worker.terminate()
  }
}
