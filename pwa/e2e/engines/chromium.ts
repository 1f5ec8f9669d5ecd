import type { Engine, Launch } from './engine.ts'
import { openPuppet, takeCreateWritable } from './puppet.ts'

/** Chromium, which the other two are compared with. */
export async function openChromium(launch: Launch): Promise<Engine> {
  const { FileSystem, FileSystemWritableStream } = launch.features
  const files = 'FileSystemAccess,FileSystemAccessOriginPrivate,FileSystemAccessLocal,FileSystemAccessLocalFileSystem'
  // A bucket has files of its own.
  const lacking =
    FileSystem === false
      ? [`--disable-blink-features=StorageBuckets,${files}`]
      : FileSystemWritableStream === false
        ? ['--disable-blink-features=StorageBuckets']
        : []
  const microphone = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
  const engine = await openPuppet(launch, {
    executablePath: process.env.E2E_WHOLE_CHROMIUM || '/usr/bin/chromium',
    // As on phones: a page that's left is kept.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    downloadBehavior: { policy: 'allow', downloadPath: launch.downloads },
    args: [
      '--lang=en-GB',
      ...lacking,
      ...(launch.hasMicrophone ? microphone : []),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })
  const page = engine.page()
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: launch.isDark ? 'dark' : 'light' }])
  if (FileSystemWritableStream === false) await takeCreateWritable(page)
  if (launch.userAgent) await page.setUserAgent({ userAgent: launch.userAgent })
  return engine
}
