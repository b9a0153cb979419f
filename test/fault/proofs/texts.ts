import { allReaders } from '../texts/all-readers.ts'
import { slowReaders, toldSlow } from '../texts/growth.ts'
import { forms, units } from '../texts/hostile-texts.ts'
import { type Proof, wholeNumber } from './proof.ts'

/** The time of every function that reads others' text grows no faster than the text. */
export const texts: Proof = {
  usage: `texts [--kilobytes N] [--only NAME] [--json]

Gives ${units.length} units, repeated, in ${forms.length} forms each, to every pure function of the service and its client that reads others' text: at a
sixteenth, a quarter, and all of N KB (256). A form is a short end or a long one, after what the unit would close. Four times the
text may take nine times as long; what takes longer is named with the text. Functions whose names have NAME in them only. About
twenty minutes.
`,
  minutes: 120,
  options: ['kilobytes', 'only'],
  flags: ['json'],
  prove: async (_, options, flags) => {
    const kilobytes = wholeNumber(options.kilobytes, 256)
    const tell = flags.has('json') ? console.error : console.log
    const readers = Object.entries(allReaders).filter(([name]) => name.includes(options.only ?? ''))
    const slow = readers.flatMap(([name, read]) => {
      const begun = performance.now()
      const found = slowReaders({ [name]: read }, { chars: kilobytes * 1024, forms, enough: 50 })
      tell(`${found.length > 0 ? 'SLOW' : 'linear'} ${name}, ${((performance.now() - begun) / 1000).toFixed(1)} s`)
      return found
    })
    for (const each of slow) tell(toldSlow(each))
    const combinations = readers.length * units.length * forms.length
    tell(`${readers.length} functions, ${combinations} texts of up to ${kilobytes} KB: ${slow.length} not linear`)
    const report = {
      name: 'texts',
      functions: readers.length,
      texts: combinations,
      kilobytes,
      slow: slow.map(toldSlow),
    }
    if (flags.has('json')) console.log(JSON.stringify(report))
    return slow.length === 0
  },
}
