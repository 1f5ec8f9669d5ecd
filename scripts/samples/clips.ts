/* Makes the clips in data/seed/media that the sandbox plays: `bun scripts/samples/clips.ts [name …]`. They're committed, so
   running the site doesn't need this. It needs ffmpeg with libx264, libvpx-vp9, libopus and libmp3lame, and espeak-ng for the
   voice: apt-get install -y ffmpeg espeak-ng */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Slate = { name: string; lines: readonly [string, string]; spoken: string }
type Talk = { name: string; spoken: string }

const slates: readonly Slate[] = [
  {
    name: 'lesson-office',
    lines: ['AT THE KITCHEN TABLE', 'Figures first, tea second'],
    spoken: 'This is a sample video. Yours goes here. Put last year in front of you, and start with one number.',
  },
  {
    name: 'lesson-van',
    lines: ['IN THE VAN', 'One thing before the next job'],
    spoken: 'This is a sample video. Yours goes here. Pick one thing to change this week, and write it down.',
  },
  {
    name: 'lesson-customer',
    lines: ['ON THE DOORSTEP', 'What to ask before you measure'],
    spoken: 'This is a sample video. Yours goes here. Ask what they want first. Then get the tape out.',
  },
  {
    name: 'lesson-crew',
    lines: ['IN THE YARD', 'Ten minutes on a Monday'],
    spoken: 'This is a sample video. Yours goes here. Say what good looks like, and who is doing what.',
  },
  {
    name: 'film-home',
    lines: ['BEFORE AND AFTER', 'A sample video'],
    spoken: 'This is a sample video. Your own goes here: one member, before and after, in their own words.',
  },
  {
    name: 'film-demo',
    lines: ['A JOB, START TO PAID', 'A sample demo'],
    spoken: 'This is a sample demo. A job comes in, it is quoted, booked, done, and paid.',
  },
  {
    name: 'film-case',
    lines: ['ONE FIRM, ONE YEAR', 'A sample case study'],
    spoken: 'This is a sample case study. Show one firm, and what changed for them in a year.',
  },
]

const talks: readonly Talk[] = [
  {
    name: 'episode-1',
    spoken:
      'Episode one. Charging what it costs. This is a sample episode, so it is short. Add up the van, the tools, the insurance, and the days no one pays you for. Divide by the hours you really sell. That is where your price starts.',
  },
  {
    name: 'episode-2',
    spoken:
      'Episode two. Home by five. This is a sample episode, so it is short. Look at last week. Find the one evening that went on quotes. Move it to Friday at three, in the van, before you drive home.',
  },
  {
    name: 'episode-3',
    spoken:
      'Episode three. The first pair of hands. This is a sample episode, so it is short. Write down everything you did on Monday. Underline what someone else could have done. That is the job you are hiring for.',
  },
]

const folder = join(import.meta.dirname, '../../data/seed/media')
const font = join(
  import.meta.dirname,
  '../../node_modules/@expo-google-fonts/archivo/800ExtraBold/Archivo_800ExtraBold.ttf',
)
const scratch = mkdtempSync(join(tmpdir(), 'alliance-clips-'))

function run(program: string, words: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, words, { encoding: 'utf8' })
  if (error || status !== 0) throw new Error(`${program}: ${error?.message ?? stderr}`)
}

/** espeak-ng writes 22,050 two-byte samples a second, after a 44-byte header. */
const bytesPerSecond = 44_100

/** Speaks a line. Returns the audio file and the clip's length in seconds, with pauses before and after. */
function speak(name: string, text: string): { voice: string; seconds: string } {
  const voice = join(scratch, `${name}.wav`)
  run('espeak-ng', ['-v', 'en-gb', '-s', '150', '-w', voice, text])
  return { voice, seconds: ((statSync(voice).size - 44) / bytesPerSecond + 1.5).toFixed(2) }
}

const text = (words: string, more: string) => `drawtext=fontfile=${font}:text='${words}':${more}`

/** A title card above a tape measure that runs out to the left: a tick every 10 pixels, a number every 100. */
function slateFilter([heading, second]: Slate['lines']): string {
  const numbers = Array.from({ length: 18 }, (_, at) =>
    text(String(at), `fontsize=22:fontcolor=0x151612:x=${at * 100 + 8}:y=34`),
  )
  return [
    `color=c=0xffdc00:s=1800x64:r=15,drawgrid=w=10:h=20:t=1:c=0x151612@0.55,drawgrid=w=100:h=64:t=3:c=0x151612,${numbers.join()}[tape]`,
    `color=c=0x151612:s=640x360:r=15,drawbox=x=40:y=96:w=10:h=88:c=0xffdc00:t=fill,${text(heading, 'fontsize=40:fontcolor=0xf2f3ea:x=66:y=100')},${text(second, 'fontsize=22:fontcolor=0xc0c4b6:x=66:y=154')},${text('SAMPLE', 'fontsize=18:fontcolor=0xffdc00:x=540:y=28')}[slate]`,
    `[slate][tape]overlay=x='-60*t':y=296:shortest=0[v]`,
  ].join(';')
}

const steady = ['-threads', '1', '-fflags', '+bitexact', '-flags', '+bitexact', '-map_metadata', '-1']

const videoFiles: Record<string, readonly string[]> = {
  mp4: [
    ...['-c:v', 'libx264', '-preset', 'slow', '-crf', '30', '-pix_fmt', 'yuv420p', '-g', '50'],
    ...['-c:a', 'aac', '-b:a', '32k', '-movflags', '+faststart'],
  ],
  webm: [
    ...['-c:v', 'libvpx-vp9', '-crf', '44', '-b:v', '0', '-cpu-used', '4', '-pix_fmt', 'yuv420p', '-g', '50'],
    ...['-c:a', 'libopus', '-b:a', '24k'],
  ],
}
const sounds: Record<string, readonly string[]> = {
  mp3: ['-c:a', 'libmp3lame', '-b:a', '32k'],
  ogg: ['-c:a', 'libopus', '-b:a', '20k'],
}

function videoFile({ name, lines, spoken }: Slate): string[] {
  const { voice, seconds } = speak(name, spoken)
  const source = ['-y', '-filter_complex', `${slateFilter(lines)};[0:a]adelay=500,apad[a]`]
  return Object.entries(videoFiles).map(([ending, codecs]) => {
    const file = join(folder, `${name}.${ending}`)
    run('ffmpeg', [
      '-i',
      voice,
      ...source,
      '-map',
      '[v]',
      '-map',
      '[a]',
      '-t',
      seconds,
      '-ac',
      '1',
      ...codecs,
      ...steady,
      file,
    ])
    return file
  })
}

function talk({ name, spoken }: Talk): string[] {
  const { voice, seconds } = speak(name, spoken)
  return Object.entries(sounds).map(([ending, codecs]) => {
    const file = join(folder, `${name}.${ending}`)
    run('ffmpeg', ['-y', '-i', voice, '-af', 'adelay=500,apad', '-t', seconds, '-ac', '1', ...codecs, ...steady, file])
    return file
  })
}

const wanted = process.argv.slice(2)
const isWanted = ({ name }: { name: string }) => wanted.length === 0 || wanted.includes(name)
mkdirSync(folder, { recursive: true })
try {
  const files = [...slates.filter(isWanted).flatMap(videoFile), ...talks.filter(isWanted).flatMap(talk)]
  for (const file of files) console.log(`${Math.ceil(statSync(file).size / 1024)} kB  ${file.slice(folder.length + 1)}`)
} finally {
  rmSync(scratch, { recursive: true })
}
