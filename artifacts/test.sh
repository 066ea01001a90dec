#!/bin/sh
# Tests what ./verbena install leaves in a repository: a program outside the source tree is built against it and sends a
# message, on the class path and on the module path; a second build in another folder gives the same bytes; and
# mvn javadoc:aggregate gives no warning.
# Prints failures, and writes a JUnit XML report into bom/target. The last part of ./verbena test.
#
#   artifacts/test.sh [--quick]    --quick leaves out the second build and the documentation
#
# VERBENA_MAVEN_OPTS   as for the launcher
# VERBENA_MVN          the Maven to use, if it is not on the PATH
set -eu

root=$(CDPATH='' cd "${0%/*}/.." && pwd -P)
JAVA_HOME=$("$root/verbena" java-home)
export JAVA_HOME
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
failed=0 run=0 cases=''

# Runs the test $1, a function; its output is only shown when it fails.
check() {
  run=$((run + 1))
  failure=''
  # A subshell of its own: set -e does not work in conditions.
  set +e
  (set -e && "$1") >"$work/output" 2>&1
  code=$?
  set -e
  if [ "$code" = 0 ]; then
    echo "passed: $1"
  else
    failed=$((failed + 1))
    failure='<failure/>'
    echo "[ERROR] failed: $1"
    tail -n 40 "$work/output"
  fi
  cases="$cases<testcase classname=\"artifacts\" name=\"$1\">$failure</testcase>
"
}

maven() {
  # shellcheck disable=SC2086 # options are split into words
  (cd "$1" && shift && "${VERBENA_MVN:-mvn}" -B -ntp -Dstyle.color=never ${VERBENA_MAVEN_OPTS:-} "$@") </dev/null
}

# Makes a copy of the source tree, $1/tree.
copy_tree() {
  mkdir -p "$1/tree"
  (cd "$root" && tar -c -f - --exclude=./.git --exclude=./.verbena --exclude=target .) | tar -x -f - -C "$1/tree"
}

# Installs what is built in $1/tree into the new repository $1/repository. It links to everything in the usual repository
# but io.verbena, so nothing is downloaded twice and the usual one does not change.
install_from() {
  mkdir -p "$1/repository/io"
  usual=$(maven "$root/bom" -X -Dquick validate | sed -n 's/.*Using local repository at //p')
  [ -d "$usual" ] || return 1
  for entry in "$usual"/* "$usual"/io/*; do
    case $entry in
      "$usual/io" | "$usual/io/verbena" | *'/*') ;;
      *) ln -s "$entry" "$1/repository${entry#"$usual"}" ;;
    esac
  done
  "$1/tree/verbena" install -Dmaven.repo.local="$1/repository"
}

install_into_a_repository() {
  copy_tree "$work/first"
  install_from "$work/first"
  for module in verbs roce soft rdmacore junit; do
    for end in .pom .jar -sources.jar -javadoc.jar; do
      ls "$work/first/repository/io/verbena/verbena-$module"/*/*"$end"
    done
  done
}

# Builds the program in folder $1. $2: its sources besides the program itself.
build_program() {
  mkdir -p "$1/src/main/java"
  cp "$root/artifacts/project/Greeting.java" ${2:+"$root/artifacts/project/$2"} "$1/src/main/java/"
  awk -v page="$root/docs/install.md" '
    /<!-- docs\/install.md -->/ {
      while ((getline line <page) > 0 && line != "```xml");
      while ((getline line <page) > 0 && line != "```") print "  " line
      next
    }
    { print }' "$root/artifacts/project/pom.xml" >"$1/pom.xml"
  maven "$1" -Dmaven.repo.local="$work/first/repository" compile
  ls "$1/target/lib"
}

# Runs the program and compares its output, including warnings of the JVM. $1: its path, rest: arguments of java.
run_program() {
  path=$1
  shift
  printf 'success\nsuccess\na message between two queue pairs\n%s\n' "$path" >"$work/expected"
  # An address that is probably unused; not every system has more than one.
  address=127.$((1 + $$ % 200)).$((1 + $$ / 200 % 200)).1
  [ "$(uname)" = Linux ] || address=127.0.0.1
  "$JAVA_HOME/bin/java" "$@" "$address" >"$work/printed" 2>&1 </dev/null || echo "exit code $?" >>"$work/printed"
  diff "$work/expected" "$work/printed"
}

run_on_the_class_path() {
  build_program "$work/class-path" ''
  lib=$work/class-path/target
  run_program 'class path' --enable-native-access=ALL-UNNAMED -cp "$lib/classes:$lib/lib/*" org.example.greeting.Greeting
}

run_on_the_module_path() {
  build_program "$work/module-path" module-info.java
  lib=$work/module-path/target
  run_program 'module path' --enable-native-access=io.verbena.soft,io.verbena.rdmacore -p "$lib/classes:$lib/lib" \
    -m org.example.greeting/org.example.greeting.Greeting
}

document_all_modules() {
  copy_tree "$work/the second"
  maven "$work/the second/tree" -Dquick javadoc:aggregate
  ls "$work/the second/tree/target/reports/apidocs/io.verbena.verbs/io/verbena/verbs/QueuePair.html"
}

give_the_same_bytes_in_another_folder() {
  install_from "$work/the second"
  cd "$work/first/repository/io/verbena"
  find . -name '*.jar' -o -name '*.pom' | sort >"$work/list"
  [ "$(wc -l <"$work/list")" -ge 17 ]
  while IFS= read -r file; do
    cmp "$file" "$work/the second/repository/io/verbena/$file"
  done <"$work/list"
}

check install_into_a_repository
check run_on_the_class_path
check run_on_the_module_path
if [ "${1:-}" != --quick ]; then
  check document_all_modules
  check give_the_same_bytes_in_another_folder
fi

mkdir -p "$root/bom/target/surefire-reports"
printf '<testsuite name="artifacts" tests="%d" failures="%d" errors="0" skipped="0">\n%s</testsuite>\n' "$run" "$failed" "$cases" \
  >"$root/bom/target/surefire-reports/TEST-artifacts.xml"
[ "$failed" = 0 ]
