import { expect, test } from '@playwright/test'
import { normaliseCaptions, readCaptions } from '#shared/values/captions.ts'

/** What programs and people write, each as one file. */
const files: Record<string, string> = {
  'times without hours, with one digit of them, with none': `WEBVTT

00:01.000 --> 00:02.000
short

0:00:03.000-->0:00:04.000 align:start position:0%
close

   00:00:05.000\t-->  00:00:05.000
never shown

123:00:06.000 --> 123:00:07.000
long`,
  'notes, styles, numbers and names': `WEBVTT - made by hand
Kind: captions
00:00:00.000 --> 00:00:01.000
in the header

NOTE two lines
of it

STYLE
::cue { color: red }

NOTE about the next
00:00:02.000 --> 00:00:03.000
noted

8f1c2d3e/12-0
00:00:03.000 --> 00:00:04.000
<v Dave Smith>Morning all.
How’s the van?</v>`,
  'words close to the next time, a line of spaces, an empty caption': `WEBVTT

00:00:01.000 --> 00:00:02.000
one
00:00:02.000 --> 00:00:03.000
 
two

00:00:03.000 --> 00:00:04.000

2
00:00:04.000 --> 00:00:05.000
three`,
  'automatic ones': `WEBVTT
Kind: captions
Language: en

00:00:00.160 --> 00:00:02.149 align:start position:0%
 
measure<00:00:00.400><c> twice</c>

00:00:02.149 --> 00:00:02.159 align:start position:0%
measure twice
 

00:00:02.159 --> 00:00:04.000 align:start position:0%
measure twice
cut<00:00:02.900><c> once</c>`,
  'signs that are written in another way': `WEBVTT

00:00:01.000 --> 00:00:02.000
&gt;&gt; Dave: it&#39;s &pound;5 &amp;amp; <i>&quot;caf&#xe9;&quot;</i>&nbsp;R&D &made-up;`,
  'out of order': `WEBVTT

00:00:05.000 --> 00:00:06.000
late

00:00:01.000 --> 00:00:02.000
early

00:00:01.000 --> 00:00:03.000
both`,
  '.srt without empty lines, numbers or hours': `1
00:03,560 --> 00:04,720
started to
2
00:11,224 --> 00:14,984 X1:40 X2:600
<b>Theirs</b>.`,
  '.srt of a program that doubled the line ends':
    '\uFEFF1\r\r\n00:00:01,000 --> 00:00:02,000\r\r\nOne\r\r\n\r\r\n2\r\r\n00:00:02,000 --> 00:00:03,000\r\r\nTwo\r\r\n',
  'white space, names and regions of an older kind': `WEBVTT

REGION: id=foo width=40% lines=3

 a name of spaces and words
   00:00:00.000    -->  00:00:01.000\t
   one

\t\t\t00:00:01.000\t\t-->\t\t00:00:02.000\f
two

->
00:00:02.000-->000:00:03.000 region:foo
three`,
  'what a stream puts above': `WEBVTT
X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000

00:00:01.000 --> 00:00:02.000
{\\an8}one`,
  '.srt as other programs write it': `1

0:00:01.5-->00:00:02 ,75
{\\an8}<font color="red">3 < 5</font> & more

2
00:03 --> 00:00:04:500
{\\i1}two{\\i0}

and\\Nthree
`,
  'YouTube’s .sbv': '0:00:00.599,0:00:04.160\nMorning.\nAll\n\n0:00:04.160,0:00:06.770\nHi',
}

test('we read captions as the browser that shows them does', async ({ page }) => {
  let served = ''
  await page.route('**/read.vtt?*', (route) => route.fulfill({ body: served, contentType: 'text/vtt' }))
  await page.route('**/empty-page', (route) => route.fulfill({ body: '', contentType: 'text/html' }))
  await page.goto('/empty-page')
  for (const [name, file] of Object.entries(files)) {
    served = normaliseCaptions(file)
    const shown = await page.evaluate(
      async (src) => {
        const [video, track] = [document.createElement('video'), document.createElement('track')]
        Object.assign(track, { src, default: true })
        video.append(track)
        document.body.append(video)
        track.track.mode = 'hidden'
        await new Promise((resolve, reject) => Object.assign(track, { onload: resolve, onerror: reject }))
        const cues = [...(track.track.cues ?? [])] as VTTCue[]
        return cues.map((cue) => ({
          from: cue.startTime,
          until: cue.endTime,
          words: (cue.getCueAsHTML().textContent ?? '').replace(/\s+/g, ' ').trim(),
        }))
      },
      `/read.vtt?${encodeURIComponent(name)}`,
    )
    const read = readCaptions(served)
    const ours = 'cues' in read ? read.cues.map(({ said: _, ...cue }) => cue) : read.problem
    expect(ours, name).toEqual(shown.filter(({ words }) => words !== ''))
  }
})
