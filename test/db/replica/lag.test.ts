import t from 'tap'
import { lagMs } from '#db/replica/lag.ts'
import { hasReached } from '#db/replica/lsn.ts'

for (const [replayed, wanted, reached] of [
  ['0/3000060', '0/3000060', true],
  ['0/3000060', '0/3000061', false],
  ['0/FFFFFFFF', '1/0', false],
  ['1/0', '0/FFFFFFFF', true],
  ['A/0', '9/FFFFFFFF', true],
] as const)
  t.test(`a log followed to ${replayed} ${reached ? 'has' : 'has not'} what was written up to ${wanted}`, async (t) => {
    t.equal(hasReached(replayed, wanted), reached)
  })

const seen = [
  { at: 1000, lsn: '0/1000' },
  { at: 2000, lsn: '0/2000' },
  { at: 3000, lsn: '0/3000' },
]

for (const [replayed, now, lag, name] of [
  ['0/3000', 3000, 0, 'a replica that is where the primary was just seen is not behind'],
  ['0/3000', 9000, 0, 'nor while nobody writes, however long'],
  ['0/2FE0', 3000, 0, 'nor if only the header of a page is missing, after which there is no record yet'],
  ['0/2000', 3100, 1100, 'one that has only what was there a while ago is behind by that while'],
  ['0/2FD0', 3100, 1100, 'also if it has a part of what came then'],
  ['0/500', 3100, 2100, 'one behind all that was seen is behind by more than that'],
] as const)
  t.test(name, async (t) => {
    t.equal(lagMs(seen, replayed, now), lag)
  })
