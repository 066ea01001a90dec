# Reads JUnit's XML reports and prints the tests that were skipped for a reason that is not allowed. The first file has the
# allowed ones: a pattern for "Class.test", a tab, a pattern for the reason. Exit code 1 when there is any.
#
#   awk -f .ci/skips.awk .ci/allowed-skips REPORT...

function attribute(line, name) {
  return match(line, " " name "=\"[^\"]*\"") ? substr(line, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : ""
}

# The reason in the attribute or after the element, without its common prefix.
function why(line, text) {
  text = attribute(line, "message")
  if (text == "") {
    text = line
    sub(/.*<skipped[^>]*>/, "", text)
    sub(/^<!\[CDATA\[/, "", text)
    sub(/(\]\]>)?<\/(skipped|testcase)>.*/, "", text)
  }
  sub(/^org\.opentest4j\.TestAbortedException: /, "", text)
  sub(/^Assumption failed: /, "", text)
  sub(/&#10;.*/, "", text)
  return text
}

FILENAME == ARGV[1] {
  if ($0 !~ /^(#|$)/) {
    split($0, parts, "\t")
    tests[++allowed] = parts[1]
    reasons[allowed] = parts[2]
  }
  next
}

/<testcase / {
  type = attribute($0, "classname")
  sub(/.*\./, "", type)
  test = attribute($0, "name")
  sub(/[({\[].*/, "", test)
}

/<skipped/ {
  reason = why($0)
  for (i = 1; i <= allowed; i++) {
    if ((type "." test) ~ ("^" tests[i] "$") && reason ~ ("^" reasons[i])) {
      next
    }
  }
  print "skipped: " type "." test ": " reason
  bad = 1
}

END { exit bad }
