/** 64 minutes, as a power of two. */
const longest = 6

/**
 * Whether something that has been open for `age` minutes is looked into in this minute: each minute at first, later at distances of a
 * twentieth to a tenth of its age, and about each hour at last. The code host was asked for each open plan each minute: 60 repositories
 * with two took 7,200 requests an hour of the 5,000 that an organisation has. The distances are powers of two, so none is stepped over as they
 * grow; what is of one age is spread by its number.
 */
export const isItsTurn = (item: { number: number; age: number }, minute: number): boolean => {
  const power = Math.floor(Math.log2(Math.max(1, item.age / 10)))
  return (minute + item.number) % 2 ** Math.min(longest, power) === 0
}
