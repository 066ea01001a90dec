# Part of the launcher (it has the functions used here): ./verbena test.

jcstress_options='-f 1 -iters 1 -time 100 -sc false' # takes two minutes

# JUnit's reports of this run, for the actions that find is given.
find_reports() {
  find "$root" \( -path '*/target/surefire-reports/TEST-*.xml' -o -path "$state/lab/results-*/TEST-*.xml" \) "$@"
}

run_tests() {
  all=''
  if [ "${1:-}" = --all ]; then
    all=1
    shift
    set -- -Dslow -Dspark "$@"
  fi
  lock
  find_maven
  find "$root" -path '*/target/surefire-reports/*' -type f -exec rm -f {} +
  rm -rf "$state"/lab/results-*
  log=$state/test.log
  touch "$state/stamp.new"
  rm -rf "$root/tools/target/lib" "$root/lab/target/lib"
  # A failing module must not keep the others from being tested, so failures are counted here.
  run_maven "$log" show_tests -ntp -fae -Dmaven.test.failure.ignore=true verify "$@"
  lab_code=0 lab_skipped=0 artifacts_code=0 jcstress_code=0
  if [ "$maven_code" = 0 ] && is_whole_run "$@"; then
    install_app
    mv "$state/stamp.new" "$state/stamp"
  fi
  if [ -n "$all" ] && is_whole_run "$@"; then
    run_artifact_tests
    run_jcstress_tests
    run_lab_tests
  fi
  counts=$(find_reports -exec grep -h '<testsuite ' {} + | awk -v run="$lab_skipped" -v skip="$lab_skipped" '
    function attribute(name) {
      return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : 0
    }
    { run += attribute("tests"); bad += attribute("failures") + attribute("errors"); skip += attribute("skipped") }
    END { printf "%d %d %d\n", run - bad - skip, bad, skip }') || counts='0 0 0'
  # shellcheck disable=SC2086 # three numbers
  set -- $counts
  # A lab that ended before its tests counts as a failure.
  [ "$lab_code" = 0 ] || [ "$2" != 0 ] || set -- "$1" 1 "$3"
  outcome=0
  if [ "$maven_code" != 0 ]; then
    [ "$2" != 0 ] || echo 'The build failed.'
    outcome=1
  elif [ "$2" != 0 ] || [ "$lab_code" != 0 ] || [ "$artifacts_code" != 0 ] || [ "$jcstress_code" != 0 ]; then
    outcome=1
  elif grep -q '^\[ERROR\]' "$log"; then
    echo 'Maven reported errors, see above: a test process may have died.'
    outcome=1
  elif [ "$1" = 0 ]; then
    echo 'No test ran.'
    outcome=1
  fi
  if [ "${CI:-}" = true ] && ! find_reports -exec awk -f "$root/.ci/skips.awk" "$root/.ci/allowed-skips" {} +; then
    echo 'Skipped for a reason that .ci/allowed-skips does not have, see above.'
    outcome=1
  fi
  if [ "$outcome" != 0 ]; then
    grep -E '^\[ERROR\] +[A-Za-z].*:[0-9]+' "$log" | sed 's/^\[ERROR\] */failed: /' | sort -u | head -n 20 || true
    echo "Full log: $log"
  fi
  echo "$1 passed, $2 failed, $3 skipped"
  exit "$outcome"
}

# False when Maven arguments $@ ask for some of the tests only.
is_whole_run() {
  for argument; do
    case $argument in -pl | -pl?* | --projects* | -rf* | -Dtest=*) return 1 ;; esac
  done
}

# Tests the artifacts of ./verbena install from another project. Sets $artifacts_code.
run_artifact_tests() {
  printf '%s\n' '== Verbena artifacts, used from outside'
  if [ "$maven_code" != 0 ]; then
    echo 'Not run: the build failed.'
    return 0
  fi
  VERBENA_MVN=$mvn "$root/artifacts/test.sh" 9>&- || artifacts_code=$?
}

# The queues and locks of the software device under many interleavings. Sets $jcstress_code.
run_jcstress_tests() {
  printf '%s\n' '== Verbena jcstress'
  if [ "$maven_code" != 0 ]; then
    echo 'Not run: the build failed.'
    return 0
  fi
  . "$root/launcher/fuzz.sh"
  (compile_jcstress) >"$state/jcstress.out" 2>&1 || jcstress_code=$?
  if [ "$jcstress_code" = 0 ]; then
    # shellcheck disable=SC2086 # options are split into words
    (VERBENA_NO_BUILD=1 run_jcstress -t io.verbena $jcstress_options) >"$state/jcstress.out" 2>&1 9>&- || jcstress_code=$?
  fi
  # Its exit code is 0 even when tests failed.
  for kind in Failed Error; do
    grep -q "^ *$kind tests: No matches" "$state/jcstress.out" || jcstress_code=1
  done
  grep '^(Results:' "$state/jcstress.out" | tail -n 1
  [ "$jcstress_code" = 0 ] || echo "jcstress failed, see $state/jcstress.out."
}

# Tests what Maven built against the kernel of the lab. Sets $lab_code, and $lab_skipped to 1 when the lab cannot run here.
run_lab_tests() {
  printf '%s\n' '== Verbena lab in its guest'
  if [ "$maven_code" != 0 ] || [ ! -d "$root/tools/target/lib" ] || [ ! -d "$root/lab/target/lib" ]; then
    echo 'Not run: the build failed.'
    lab_skipped=1
    return 0
  fi
  VERBENA_LAB_KERNEL=${VERBENA_LAB_KERNEL:-all} VERBENA_JDK=$jdk "$root/lab/lab.sh" test 2>&1 9>&- || lab_code=$?
  case $lab_code in
    0) ;;
    77)
      lab_code=0 lab_skipped=1
      # A lab that can run here must run.
      if [ "${CI:-}" = true ] && "$root/lab/lab.sh" check >/dev/null 2>&1 9>&-; then
        echo "The lab did not run although it can run here, see above."
        lab_code=1
      fi
      ;;
    *) echo "The tests in the lab failed, see above and $state/lab." ;;
  esac
}
