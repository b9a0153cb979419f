/*
 * A stand-in for terraform as a shell script, so that a test can make it do what a real one does once in a year. What it does
 * is said by files in the stack's directory:
 *
 * - `exit`: exit status of plan (2 when there is none); `init-exit`: of init
 * - `plan.json`, `plan.txt`: what `show` prints
 * - `stderr`: printed by plan; `hook`: a script that plan runs first
 * - `calls`: written by it, a line for each call
 */

const plan = JSON.stringify({
  format_version: '1.2',
  resource_changes: [{ address: 'terraform_data.a', mode: 'managed', change: { actions: ['create'] } }],
})

export const fakeTool = `#!/bin/bash
echo "$*" >> calls
case "$1" in
  version) echo '{"terraform_version":"1.11.4"}' ;;
  init) echo 'initialized'; if [ -f init-exit ]; then exit "$(cat init-exit)"; fi ;;
  workspace) echo "switched to $4" ;;
  plan)
    for word in "$@"; do case "$word" in -out=*) out=\${word#-out=} ;; esac; done
    [ -f hook ] && . ./hook
    [ -f stderr ] && cat stderr >&2
    echo 'the plan goes by'
    code=2; [ -f exit ] && code=$(cat exit)
    [ "$code" = 1 ] || echo saved > "$out"
    exit $code ;;
  show)
    file=\${@: -1}
    [ -f "$file" ] || { echo "no plan at $file" >&2; exit 1; }
    if [ "$3" = -json ]; then
      if [ -f plan.json ]; then cat plan.json; else echo '${plan}'; fi
    elif [ -f plan.txt ]; then cat plan.txt
    else echo 'Plan: 1 to add, 0 to change, 0 to destroy.'; fi ;;
esac
`
