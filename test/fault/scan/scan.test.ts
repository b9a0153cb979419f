import t from 'tap'
import { writeTree } from '#test/runner/scan/scan-tree.ts'
import { playScan } from './play-scan.ts'
import { installedTool } from './tool-verdicts.ts'

const tool = await installedTool()

t.test('each file of a checkout has the verdict of the tool', { skip: tool === undefined && 'no tool' }, async (t) => {
  const dir = t.testdir()
  writeTree(dir, {
    'a/main.tf': 'terraform {\n  backend "local" {}\n}\n',
    'a/-odd name.tf': 'locals { a = "%{ for i, x in [1] }x%{ endfor }" }\n',
    'a/unformatted.tf': 'locals {\nb=1\n}\n',
    'a/broken.tf': 'locals {\n  c = "\n}\n',
    'a/looser.tf': 'locals {\n  d = 1 +\n}\n',
    'a/x.tfvars': 'e = [1\n',
  })
  const { scanMs, formatMs, ...report } = await playScan(dir, tool ?? '')
  t.same(report, {
    ...{ dir, tool, files: 6, stacks: 1, warnings: 1 },
    ...{ stricter: [], looser: ['a/looser.tf'], refusedByBoth: 2 },
  })
  t.ok(scanMs >= 0 && formatMs > 0)
})
