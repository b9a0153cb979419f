import t from 'tap'
import { maskAddress } from '#runner/mask/mask-address.ts'
import { createMasks } from '#runner/mask/masks.ts'

t.test(
  'of an address only the keys of indexes are hidden: types and names hold no values, and rules go by them',
  (t) => {
    const table = [
      // secret, address, what is sent
      ['postgres', 'aws_db_instance.postgres', 'aws_db_instance.postgres'],
      ['postgres', 'module.postgres.aws_db_instance.main', 'module.postgres.aws_db_instance.main'],
      ['service_account', 'google_service_account.deployer', 'google_service_account.deployer'],
      ['postgres', 'aws_db_instance.postgres["postgres"]', 'aws_db_instance.postgres["***"]'],
      ['hunter22', 'module.a["hunter22"].aws_x.b["x-hunter22"]', 'module.a["***"].aws_x.b["x-***"]'],
      ['say "hi" now', 'aws_x.b["say \\"hi\\" now"] (deposed 0a1b2c3d)', 'aws_x.b["***"] (deposed 0a1b2c3d)'],
      ['hunter22', 'aws_x.b["hunter22', 'aws_x.b["***'],
      ['hunter22', 'aws_x.b["hunter22\\', 'aws_x.b["***\\'],
      ['hunter22', 'aws_x.b[0]', 'aws_x.b[0]'],
    ] as const
    for (const [secret, address, sent] of table) {
      const masks = createMasks()
      masks.add([secret])
      t.equal(maskAddress(masks, address), sent, address)
    }
    t.end()
  },
)
