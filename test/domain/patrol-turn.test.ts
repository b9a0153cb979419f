import t from 'tap'
import { isItsTurn } from '#domain/patrol-turn.ts'

/** How often in `minutes` from an age on. */
const asked = (number: number, from: number, minutes: number): number =>
  Array.from({ length: minutes }, (_, passed) => from + passed).filter((age) => isItsTurn({ number, age }, 1000 + age))
    .length

const cases = [
  // number  from  minutes  times       what
  [7, 5, 15, [15, 15], 'each minute while it is young'],
  [7, 80, 64, [8, 8], 'each eight minutes after 80'],
  [7, 1440, 640, [10, 10], 'about each hour after a day'],
  [8, 1440, 640, [10, 10], 'whatever its number'],
] as const

for (const [number, from, minutes, [least, most], what] of cases) {
  t.test(`${what}: ${from} minutes old, in the ${minutes} that follow`, async (t) => {
    const times = asked(number, from, minutes)
    t.ok(times >= least && times <= most, `${times} times`)
  })
}

t.test('it is asked about again before its age has grown by a seventh', async (t) => {
  for (let number = 1; number <= 60; number++) {
    let last = 5
    for (let age = 5; age <= 600; age++) {
      if (isItsTurn({ number, age }, age)) last = age
      if (age - last > Math.max(2, last / 7)) return t.fail(`number ${number}, ${age} minutes old, last at ${last}`)
    }
  }
  t.pass()
})

t.test('of a thousand of one age about as many are asked about in each minute', async (t) => {
  const numbers = Array.from({ length: 1000 }, (_, number) => 7_000_000_000 + number)
  for (const minute of [0, 1, 2, 3, 59]) {
    const now = numbers.filter((number) => isItsTurn({ number, age: 200 }, minute))
    t.ok(now.length === 62 || now.length === 63, `${now.length}`)
  }
})
