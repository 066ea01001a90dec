# Part of the launcher (it has the functions used here): ./verbena install.

# The first block of language $1 in docs/install.md.
snippet() { awk -v start="\`\`\`$1" '$0 == "```" { if (on) exit } on { print } $0 == start { on = 1 }' "$root/docs/install.md"; }

run_install() {
  lock
  find_maven
  # Installs the BOM and the modules that it names.
  modules=$(sed -n 's:.*<artifactId>\(verbena-[a-z]*\)</artifactId>.*:\1:p' "$root/bom/pom.xml" | sort -u)
  # The plugin makes no new pages when only the contents of sources changed.
  rm -f "$root"/*/target/maven-javadoc-plugin-stale-data.txt
  # shellcheck disable=SC2086 # a word for each module
  run_maven "$state/install.log" show_build -Dquick -Dmaven.test.skip=true -Partifacts \
    -pl "$(printf ':%s,' $modules)" install "$@"
  [ "$maven_code" = 0 ] || build_failed "$state/install.log"
  sed -n 's:^\[INFO\] Installing .* to \(.*\)/io/verbena/verbena-bom/\([^/]*\)/.*:Verbena \2 is in \1\::p' "$state/install.log"
  # shellcheck disable=SC2086
  printf '  io.verbena:%s\n' $modules
  printf '\nMaven, in pom.xml:\n\n%s\n\nGradle, in build.gradle.kts:\n\n%s\n\n' "$(snippet xml)" "$(snippet kotlin)"
  echo 'Options of java: --enable-native-access=ALL-UNNAMED on the class path,'
  echo '--enable-native-access=io.verbena.soft,io.verbena.rdmacore on the module path. More in docs/install.md,'
  echo 'also the plugins that Maven 3.8 needs for Java 25.'
  printf 'The JDK that Verbena found: export JAVA_HOME=%s\n' "$jdk"
}
