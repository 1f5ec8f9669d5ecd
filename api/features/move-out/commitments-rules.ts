import { inArray } from 'drizzle-orm'
import * as v from 'valibot'
import { commitments } from '#api/db/schema/commitments.ts'
import { CommitmentChange, commitmentTextLimit } from '#shared/contract/commitments.ts'
import { Day, RequiredLine } from '#shared/contract/fields.ts'
import { agreementAuthors } from '#shared/values/column-values.ts'
import { commitmentStates } from '#shared/values/commitment-values.ts'
import { changedAt, madeAt, members, ours, ownId, person, video } from './exported-rules.ts'
import { Moment, OrNull, RowId } from './fields-rules.ts'

/** Empty where no device made it: what a new one begins with. */
const Device = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{0,64}$/, 'This isn’t a device id.'))
const Change = v.pipe(v.string(), v.regex(/^[\w-]{0,64}$/, 'This isn’t an id.'))
const { counter: Counter } = CommitmentChange.entries

const [changed, number, device, change] = [
  'when the change was made',
  'its number on that device',
  'which device',
  'the change’s own id',
]

/** Calls stay behind, so what one came from does too. */
export const commitmentFiles = [
  ours({
    name: 'commitments',
    table: commitments,
    about: 'What members said they’d do, and by when.',
    where: inArray(commitments.userId, members),
    columns: {
      id: ownId,
      userId: person,
      madeBy: 'coach or member',
      videoId: video,
      text: 'what they’d do',
      textAt: changed,
      textCounter: number,
      textDeviceId: device,
      textChangeId: change,
      day: 'by when',
      dayAt: changed,
      dayCounter: number,
      dayDeviceId: device,
      dayChangeId: change,
      state: commitmentStates.join(', '),
      stateAt: changed,
      stateCounter: number,
      stateDeviceId: device,
      stateChangeId: change,
      doneOn: 'the day it was done',
      remindedFor: 'the day they were last reminded of',
      createdAt: madeAt,
      updatedAt: changedAt,
    },
    row: {
      id: RowId,
      userId: RowId,
      madeBy: v.picklist(agreementAuthors),
      videoId: OrNull(RowId),
      text: RequiredLine('Text', commitmentTextLimit),
      textAt: Moment,
      textCounter: Counter,
      textDeviceId: Device,
      textChangeId: Change,
      day: Day,
      dayAt: Moment,
      dayCounter: Counter,
      dayDeviceId: Device,
      dayChangeId: Change,
      state: v.picklist(commitmentStates),
      stateAt: Moment,
      stateCounter: Counter,
      stateDeviceId: Device,
      stateChangeId: Change,
      doneOn: OrNull(Day),
      remindedFor: OrNull(Day),
      createdAt: Moment,
      updatedAt: Moment,
    },
  }),
]
