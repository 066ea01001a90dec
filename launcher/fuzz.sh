# Part of the launcher (it has the functions used here): ./verbena fuzz and ./verbena jcstress.

build_fuzz() {
  lock
  find_maven
  run_maven "$state/fuzz.log" show_build -Dquick -Dfuzz -pl :verbena-soft -am test-compile
  [ "$maven_code" = 0 ] || build_failed "$state/fuzz.log"
}

# Jazzer mutates inputs and keeps those that reach new code; what it finds stays in .verbena/fuzz.
run_fuzz() {
  target=${1:-}
  [ -f "$root/soft/src/test/java/io/verbena/soft/fuzz/${target}Fuzz.java" ] ||
    misuse "fuzz takes a target: Decode, Live or Cm, then options of Jazzer, for example -max_total_time=600"
  shift
  if [ "${VERBENA_NO_BUILD:-}" != 1 ]; then (build_fuzz); fi
  mkdir -p "$state/fuzz/$target"
  # Start with some inputs: they are scripts, and short ones do little.
  for n in 1 2 3 4 5 6 7 8; do
    [ -e "$state/fuzz/$target/seed-$n" ] || head -c "$((n * 150))" /dev/urandom > "$state/fuzz/$target/seed-$n"
  done
  cd "$root/soft" # where the tests find the capture that inputs start from
  classes=target/classes:target/test-classes:../roce/target/classes:../verbs/target/classes
  # shellcheck disable=SC2086 # options are split into words
  exec "$jdk/bin/java" -Xmx1g -cp "target/fuzz/*:$classes" --enable-native-access=ALL-UNNAMED -XX:+EnableDynamicAgentLoading \
    --sun-misc-unsafe-memory-access=allow ${VERBENA_JAVA_OPTS:-} com.code_intelligence.jazzer.Jazzer \
    --target_class="io.verbena.soft.fuzz.${target}Fuzz" --instrumentation_includes='io.verbena.**' \
    --reproducer_path="$state/fuzz" -artifact_prefix="$state/fuzz/" -max_len=2048 -len_control=0 "$@" "$state/fuzz/$target"
}

build_jcstress() {
  lock
  find_maven
  compile_jcstress
}

compile_jcstress() {
  run_maven "$state/jcstress.log" show_build -Dquick -Djcstress -pl :verbena-soft -am test-compile
  [ "$maven_code" = 0 ] || build_failed "$state/jcstress.log"
}

run_jcstress() {
  if [ "${VERBENA_NO_BUILD:-}" != 1 ]; then (build_jcstress); fi
  mkdir -p "$state/jcstress"
  cd "$state/jcstress" # where it leaves its reports
  classes=$root/soft/target/classes:$root/soft/target/test-classes:$root/roce/target/classes:$root/verbs/target/classes
  # shellcheck disable=SC2086 # options are split into words
  exec "$jdk/bin/java" -cp "$root/soft/target/jcstress/*:$classes" --enable-native-access=ALL-UNNAMED ${VERBENA_JAVA_OPTS:-} \
    org.openjdk.jcstress.Main -jvmArgsPrepend --enable-native-access=ALL-UNNAMED "$@"
}
