/*
 * A stand-in for terraform as a shell script: a test can make it do what a real one does once in a year. Files in the stack's
 * directory say what it does:
 *
 * - `exit`: exit status of plan (2 when there is none); `init-exit`: of init
 * - `apply-exit`: of apply, 0 when there is none
 * - `plan.json`, `plan.txt`, `state.json`: what `show` prints
 * - `stderr`, `apply-stderr`: printed by plan and by apply; `hook`, `apply-hook`: a script that either runs first
 * - `stale`: what apply says of a downloaded saved plan, and fails
 * - `applied`: written by apply, a copy of the plan
 * - `calls`: written by every call, a line each
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
  apply)
    file=\${@: -1}
    [ -f apply-hook ] && . ./apply-hook
    case "$file" in */saved/*) if [ -f stale ]; then cat stale >&2; exit 1; fi ;; esac
    [ -f apply-stderr ] && cat apply-stderr >&2
    echo 'the apply goes by'
    if [ -f apply-exit ]; then exit "$(cat apply-exit)"; fi
    cp "$file" applied ;;
  show)
    if [ "$#" = 3 ] && [ "$3" = -json ]; then
      if [ -f state.json ]; then cat state.json; else echo '{}'; fi
      exit 0
    fi
    file=\${@: -1}
    [ -f "$file" ] || { echo "no plan at $file" >&2; exit 1; }
    if [ "$3" = -json ]; then
      if [ -f plan.json ]; then cat plan.json; else echo '${plan}'; fi
    elif [ -f plan.txt ]; then cat plan.txt
    else echo 'Plan: 1 to add, 0 to change, 0 to destroy.'; fi ;;
esac
`
