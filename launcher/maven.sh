# Part of the launcher: runs Maven and shows the important part of its output.

# Lines that Maven adds to every error.
maven_advice='(-> )?\[Help 1\]|To see the full stack|Re-run Maven|For more information|After correcting|mvn <args>|at '

# Runs Maven in the root folder; $1: log file, $2: function that reads its output, rest: arguments. Sets $maven_code.
run_maven() {
  log=$1 reader=$2
  shift 2
  [ "${VERBENA_VERBOSE:-}" != 1 ] || reader='cat'
  echo 1 >"$state/maven.code"
  {
    code=0
    # shellcheck disable=SC2086 # options are split into words
    (cd "$root" && JAVA_HOME=$jdk VERBENA_NO_BUILD=1 "$mvn" -B -Dstyle.color=never ${VERBENA_MAVEN_OPTS:-} "$@") \
      </dev/null 2>&1 9>&- || code=$? # a process left behind must not hold the lock
    echo "$code" >"$state/maven.code"
  } | tee "$log" | $reader
  read -r maven_code <"$state/maven.code"
}

# Prints one line per module, and progress while Maven downloads.
show_build() {
  fetched=0
  while IFS= read -r line; do
    case $line in
      *'Downloaded from '*)
        fetched=$((fetched + 1))
        if [ -t 2 ]; then
          printf '\r  fetching what Maven needs: %d files' "$fetched" >&2
        elif [ "$fetched" = 1 ]; then
          say '  fetching what Maven needs (first time only)'
        fi
        ;;
      '[INFO] Building '*'['*/*']')
        name=${line#'[INFO] Building '}
        [ ! -t 2 ] || printf '\r\033[K' >&2
        say "  [${line##*'['} ${name%% [0-9]*}"
        ;;
    esac
  done
  [ ! -t 2 ] || printf '\r\033[K' >&2
}

# Prints the results of the tests, and every error with the lines that explain it.
show_tests() {
  more=0
  while IFS= read -r line; do
    case $line in
      '[INFO] Building '*'['*/*']')
        name=${line#'[INFO] Building '}
        printf '%s\n' "== ${name%% [0-9]*}"
        more=0
        ;;
      '[ERROR]'*)
        if ! printf '%s\n' "$line" | grep -q -E "^\[ERROR\][[:space:]]*($maven_advice|$)"; then
          printf '%s\n' "$line"
          more=40
        fi
        ;;
      '[INFO] Tests run:'* | '[WARNING] Tests run:'*)
        printf '%s\n' "$line"
        more=0
        ;;
      '['[IWD]*) more=0 ;;
      *)
        if [ "$more" -gt 0 ]; then
          printf '%s\n' "$line"
          more=$((more - 1))
        fi
        ;;
    esac
  done
}

# Ends with the errors of log file $1.
build_failed() {
  errors=$(grep '^\[ERROR\]' "$1" | grep -v -E "^\[ERROR\][[:space:]]*($maven_advice|$)" | awk '!seen[$0]++' | head -n 25) || true
  [ -n "$errors" ] || errors=$(tail -n 25 "$1")
  say "$errors"
  die "the build failed; the full log is $1"
}
